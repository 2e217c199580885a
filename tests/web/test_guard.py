"""The pages are for one browser on this machine: no other name, no other site, no other person."""

import re

import pytest

from equipment.page_server import Served

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)


def test_every_answer_carries_the_policy_and_is_kept_by_nobody(pages: Served):
    for path in ("/", "/static/style.css", "/no/such/page", "/runs/ghost"):
        headers = pages.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
    refused = pages.get("/", with_key=False)
    assert refused.headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", "[::1]", ""])
def test_a_name_that_is_not_ours_is_refused_even_with_the_key(pages: Served, host: str):
    answer = pages.get("/", {"Host": host} if host else {"Host": " "})
    assert answer.status in {400, 421}
    assert "run" not in answer.text.lower().replace("this server", "")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_both_names_of_this_machine_are_ours(pages: Served, name: str):
    assert pages.get("/", {"Host": f"{name}:{pages.port}"}).status == 200


def test_without_the_key_nothing_is_shown_and_the_answer_says_where_it_is(pages: Served):
    for path in ("/", "/static/script.js", "/compare"):
        answer = pages.get(path, with_key=False)
        assert answer.status == 403
        assert "the address that the command printed" in answer.text
    key = pages.keys.access
    for path in (
        "/guess/",
        f"/{key}x/",
        f"/{key[:-1]}/",
        f"//{key}/",
        f"/static/{key}/",
        f"/?key={key}",
        f"/%2F{key}/",
    ):
        assert pages.get(path, with_key=False).status == 403, path


def test_the_key_is_in_no_cookie_which_browsers_send_to_every_port(pages: Served):
    for path in ("/", "/static/style.css", "/no/such/page"):
        assert "set-cookie" not in pages.get(path).headers
    for name in (f"assay-{pages.port}", "assay", "key"):
        assert pages.get("/", {"Cookie": f"{name}={pages.keys.access}"}, with_key=False).status == 403


def test_every_link_form_and_file_of_a_page_carries_the_key(pages: Served, labelling: Served):
    for served, paths in (
        (pages, ("/", "/compare", "/no/such/page")),
        (labelling, ("/done", "/label/0/0", "/adjudicate")),
    ):
        for path in paths:
            found = re.findall(r' (?:href|src|action)="(/[^"]*)"', served.get(path).text)
            assert found
            assert [each for each in found if not each.startswith(f"{served.keys.root}/")] == [], path


def test_the_address_without_its_last_slash_opens_the_pages_too(pages: Served):
    answer = pages.get(pages.keys.root, with_key=False)
    assert (answer.status, answer.headers["location"]) == (307, pages.opening)


def say(served: Served, headers: dict[str, str], *, with_key: bool = True, **fields: str):
    return served.post("/label/0/0", {"label": "supported", **fields}, headers, with_key=with_key)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "none"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": ""},
    ],
)
def test_a_write_from_another_site_is_refused_even_with_both_keys(labelling: Served, own_store, trials, headers):
    answer = say(labelling, headers, key=labelling.keys.write)
    assert answer.status == 403
    assert own_store.labels.all(trials) == ()


def test_a_form_of_a_page_that_sends_no_referrer_has_no_origin_and_is_ours_all_the_same(
    labelling: Served, own_store, trials
):
    headers = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    assert say(labelling, headers, key=labelling.keys.write).status == 303
    assert len(own_store.labels.all(trials)) == 1


def test_a_write_without_its_key_is_refused(labelling: Served, own_store, trials):
    for fields in ({}, {"key": "guess"}, {"key": labelling.keys.access}):
        answer = say(labelling, {}, **fields)
        assert answer.status == 403
        assert "another session" in answer.text
    assert own_store.labels.all(trials) == ()
    assert say(labelling, {}, key=labelling.keys.write).status == 303
    assert len(own_store.labels.all(trials)) == 1


def test_a_write_without_the_access_key_is_refused(labelling: Served, own_store, trials):
    cookie = {"Cookie": f"assay-{labelling.port}={labelling.keys.access}"}
    assert say(labelling, cookie, with_key=False, key=labelling.keys.write).status == 403
    assert own_store.labels.all(trials) == ()


def test_only_labelling_takes_a_write(own_store, trials):
    from assay.web.labelling import LabelPages, Task
    from assay.web.library import Library
    from assay.web.reading import ViewPages

    library = Library(own_store)
    routes = LabelPages(library, Task(own_store.find_run(trials))).routes() + ViewPages(library).routes()
    writing = [route.path for route in routes if route.methods and route.methods - {"GET", "HEAD"}]
    assert writing == ["/done", "/{way}/undo", "/{way}/{place}/{at}"]


def test_a_body_that_nobody_typed_is_not_read(labelling: Served):
    answer = say(labelling, {}, note="x" * 5_000_000, key=labelling.keys.write)
    assert answer.status in {400, 413}
    assert "too large" in answer.text


def test_only_our_own_files_can_be_asked_for(pages: Served):
    assert pages.get("/static/style.css").headers["content-type"].startswith("text/css")
    assert pages.get("/static/serve.js").headers["content-type"].startswith("text/javascript")
    for name in ("..%2Fguard.py", "%2e%2e/guard.py", "guard.py", "../../store/schema.sql"):
        assert pages.get(f"/static/{name}").status == 404


def test_the_server_listens_on_loopback_alone():
    from assay.web.app import listen

    with listen(0) as taken:
        assert taken.getsockname()[0] == "127.0.0.1"
