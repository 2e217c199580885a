"""The log of many runs, some of them cut short, adds up to one report."""

import pytest
from fuzz.report import read_courses, render
from fuzz.run import Log, Session


def line(event, session="a-1", **content):
    return {"event": event, "target": "walk", "session": session, "seed": 1, **content}


def test_sessions_add_up_and_one_that_was_killed_counts_as_far_as_it_got():
    course = read_courses(
        [
            line("start"),
            line("figures", executions=10, cpu_seconds=5.0, edges=7, features=9),
            line("figures", executions=30, cpu_seconds=12.0, edges=8, features=20),
            line("start", "a-2", seed=2),
            line("figures", "a-2", executions=5, cpu_seconds=6.0, edges=6, features=25),
            line("end", "a-2", exit_code=0, cpu_seconds=8.0),
        ]
    )["walk"]
    assert (course.spent, sum(course.executions.values()), course.seeds, course.failed) == (20.0, 35, [1, 2], 0)
    assert [course.met_at(share) for share in (10, 25, 60, 100)] == [(7, 9), (7, 9), (8, 20), (8, 25)]
    assert "| walk | 1–2 | 0.3 | 35 | 7 | 7 | 8 | 8 | 25 | 0.1 | 12.5 % | grows |" in render({"walk": course})


def test_a_target_without_new_edges_in_its_last_half_is_on_a_plateau_if_it_had_its_time():
    lines = [line("start", commit="abc+")]
    lines += [line("figures", executions=at, cpu_seconds=60.0 * at, edges=100, features=at) for at in range(1, 6)]
    short = read_courses(lines)["walk"]
    long = read_courses([*lines, line("end", exit_code=0, cpu_seconds=1200.0)])["walk"]
    assert (short.state, long.state, long.quiet_seconds, long.new_share) == ("too short", "plateau", 1140.0, 0.0)
    text = render({"walk": long, "tables": short})
    assert "too few to tell: tables." in text
    assert "On a plateau: all others." in text
    assert "Commits: abc+." in text


def test_a_session_that_never_tried_an_input_is_left_out():
    broken = [line("start", "b"), line("end", "b", exit_code=1, cpu_seconds=2.0)]
    assert read_courses(broken) == {}
    course = read_courses([*broken, line("start"), line("figures", executions=1, cpu_seconds=3.0)])["walk"]
    assert (course.spent, course.seeds, course.failed) == (3.0, [1], 0)


def test_a_session_that_broke_off_later_counts_and_is_named():
    lines = [line("start"), line("figures", executions=9, cpu_seconds=3.0), line("end", exit_code=77, cpu_seconds=4.0)]
    assert "Sessions that broke off: walk (1)." in render(read_courses(lines))


def test_a_session_hears_coverage_figures_and_findings(tmp_path):
    log = Log(tmp_path / "log.jsonl")
    session = Session("walk", 3, log, "walk-1")
    session.hear("#12\tNEW    cov: 5 ft: 9 corp: 3/40b lim: 4 exec/s: 0 rss: 90Mb\n")
    session.hear('FIGURES {"executions": 64, "cpu_seconds": 5.5}\n')
    session.hear('FOUND {"kind": "KeyError", "words": "x", "place": "p", "file": "f"}\n')
    session.note("start")
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"event": "cut sho')
    figures, found, start = log.lines()
    assert (figures["edges"], figures["features"], figures["executions"], figures["seed"]) == (5, 9, 64, 3)
    assert (found["kind"], start["event"], log.count_sessions("walk")) == ("KeyError", "start", 1)
    assert "KeyError at `p`" in render(read_courses(log.lines()))


def test_an_empty_log_is_an_empty_report(tmp_path):
    courses = read_courses(Log(tmp_path / "none.jsonl").lines())
    assert "Nothing yet." in render(courses)
    with pytest.raises(KeyError):
        courses["walk"]
