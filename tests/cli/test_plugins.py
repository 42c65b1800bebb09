from __future__ import annotations


def rows(text):
    return {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines()}


def test_plugins_are_listed_by_name(run):
    ran = run("plugins", "list")
    assert (ran.status, ran.err) == (0, "")
    names = [line.split()[0] for line in ran.out.splitlines()]
    assert names[0] == "name"
    assert names[1:] == sorted(names[1:])
    assert rows(ran.out)["power"] == "capframe 0.1.0 capframe_plugins.power in use"
    assert "name" not in rows(run("plugins", "list", "-q").out)


def test_what_is_off_and_what_is_broken(run, installed):
    installed("liquid", "import nothing_of_that_name\n")
    ran = run("plugins", "list", "--no-plugin", "power")
    assert (ran.status, ran.err) == (0, "")
    listed = rows(ran.out)
    assert listed["power"] == "off"
    assert listed["liquid"].startswith("capframe-liquid 1.2 capframe_liquid broken: ModuleNotFoundError: No module")


def test_v_lists_hooks(run):
    assert rows(run("plugins", "list", "-v").out)["data"] == "capframe 0.1.0 capframe_plugins.data capframe_exporters"
