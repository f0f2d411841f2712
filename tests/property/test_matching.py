"""What holds for every registry and every argument, whatever is on the disk."""

import posixpath
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.workspace.matching import match
from git_sidecar.workspace.pathtext import fold
from git_sidecar.workspace.registry import Registry
from tests.unit.workspace.fake_disk import FakeDisk, listed, windows_disk

HOME = Path("/home/u")

# The machine may be busy with other tests: slowness is no finding here.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

# Few letters, so that names collide, also by case and by what a careless normalization would merge.
NAMES = st.text(alphabet="aAbé%2 .~-", min_size=1, max_size=4).filter(lambda name: name.strip(". ") != "")
ROOTS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/w/" + "/".join(parts))
LABELS = st.lists(NAMES, min_size=1, max_size=2).map("/".join)
MISMATCHES = (
    RefusalCode.UNKNOWN_REPOSITORY,
    RefusalCode.AMBIGUOUS_REPOSITORY,
    RefusalCode.NO_REPOSITORY_SELECTED,
)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Registry, FakeDisk]:
    """A registry with some labels sent and some given, and a disk on which some of it exists."""
    roots = draw(st.lists(ROOTS, min_size=1, max_size=5, unique=True))
    labels = draw(st.lists(st.one_of(st.none(), LABELS), min_size=len(roots), max_size=len(roots)))
    pairs = [root if label is None else (root, label) for root, label in zip(roots, labels, strict=True)]
    folders = draw(st.lists(st.one_of(st.just("/w"), st.sampled_from(roots)), max_size=2, unique=True))
    spellings = [*roots, *(root.swapcase() for root in roots)]
    present = draw(st.lists(st.sampled_from(spellings), unique=True))
    files = [root + "/f" for root in draw(st.lists(st.sampled_from(roots), max_size=2))]
    disk = FakeDisk(frozenset(present), frozenset(files), {}, case_insensitive=draw(st.booleans()))
    return listed(*pairs, folders=folders, selected=draw(st.one_of(st.none(), st.sampled_from(roots)))), disk


@st.composite
def questions(draw: st.DrawFn) -> tuple[Registry, FakeDisk, str]:
    """A world and an argument, mostly one that resembles something in it."""
    registry, disk = draw(worlds())
    item = draw(st.sampled_from(registry.repositories))
    root = str(item.root)
    near = (item.label, root, root.rpartition("/")[2], root.rpartition("/")[0], root + "/f", root.removeprefix("/w/"))
    text = draw(st.one_of(st.sampled_from(near), LABELS, ROOTS, st.text(max_size=12)))
    changed = (text, text.swapcase(), text.upper(), "file://" + quote(text), text.replace("/", "\\"))
    return registry, disk, draw(st.sampled_from(changed))


def outcome(argument: str | None, registry: Registry, disk: FakeDisk) -> object:
    """The repository, or the refusal without its words, which quote the argument."""
    answer = match(argument, registry, home=HOME, disk=disk)
    return (answer.code, answer.candidates) if isinstance(answer, Refusal) else answer


def listed_roots(registry: Registry) -> Sequence[str]:
    """The roots in SCM order."""
    return [str(item.root) for item in registry.repositories]


@UNHURRIED
@given(questions())
def test_an_answer_is_known_or_lists_all_in_order(question: tuple[Registry, FakeDisk, str]) -> None:
    registry, disk, argument = question
    answer = match(argument, registry, home=HOME, disk=disk)
    if not isinstance(answer, Refusal):
        assert answer in registry.repositories
        return
    if answer.code not in MISMATCHES:
        assert answer.code is RefusalCode.INVALID_ARGUMENTS
        return
    assert answer.candidates is not None
    assert [item.root for item in answer.candidates] == listed_roots(registry)
    matching = sum(item.matches for item in answer.candidates)
    assert matching >= 2 if answer.code is RefusalCode.AMBIGUOUS_REPOSITORY else matching == 0


@UNHURRIED
@given(worlds(), st.data())
def test_a_unique_label_written_exactly_wins(world: tuple[Registry, FakeDisk], data: st.DataObject) -> None:
    registry, disk = world
    labels = [item.label for item in registry.repositories]
    item = data.draw(st.sampled_from(registry.repositories))
    assume(labels.count(item.label) == 1)
    assert match(item.label, registry, home=HOME, disk=disk) == item


@UNHURRIED
@given(worlds(), st.data())
def test_a_root_written_exactly_wins(world: tuple[Registry, FakeDisk], data: st.DataObject) -> None:
    registry, disk = world
    item = data.draw(st.sampled_from(registry.repositories))
    assume(str(item.root) == str(item.root).strip())
    for argument in (str(item.root), "file://" + quote(str(item.root)), str(item.root) + "/."):
        assert match(argument, registry, home=HOME, disk=disk) == item


@UNHURRIED
@given(worlds(), st.data())
def test_an_existing_path_is_never_folded(world: tuple[Registry, FakeDisk], data: st.DataObject) -> None:
    registry, disk = world
    assume(disk.directories)
    argument = data.draw(st.sampled_from(sorted(disk.directories)))
    assume(argument == argument.strip())
    answer = match(argument, registry, home=HOME, disk=disk)
    if not isinstance(answer, Refusal) and fold(str(answer.root)) == fold(argument):
        assert disk.identify(str(answer.root)) == disk.identify(argument)


@UNHURRIED
@given(questions())
def test_folding_is_used_only_where_nothing_is_exact(question: tuple[Registry, FakeDisk, str]) -> None:
    registry, disk, argument = question
    exact = [item for item in registry.repositories if item.label == argument]
    answer = match(argument, registry, home=HOME, disk=disk)
    if not exact or argument.startswith(("/", "file://")):
        return
    if isinstance(answer, Refusal):
        assert answer.candidates is not None
        matching = [item.matches for item in answer.candidates]
        assert matching == [item in exact for item in registry.repositories]
    else:
        assert answer in exact


@UNHURRIED
@given(questions())
def test_slashes_and_dots_make_no_difference(question: tuple[Registry, FakeDisk, str]) -> None:
    registry, disk, argument = question
    # Blanks and a tilde mean something only at the ends; a URI with an addition is decoded, a label then is not.
    assume(argument == argument.strip() != "" and not argument.startswith(("~", "file:", "/.")))
    # A label that is itself no clean path matches as written, which an addition takes from it.
    assume(posixpath.normpath(argument) == argument != ".")
    plain = outcome(argument, registry, disk)
    for same in (argument + "/", argument + "/.", argument + "/x/..", argument + "//"):
        assert outcome(same, registry, disk) == plain
    if not argument.startswith("/"):
        assert outcome("./" + argument.replace("/", "//"), registry, disk) == plain


@UNHURRIED
@given(worlds(), st.data())
def test_backslashes_and_case_find_the_only_one_that_folds_alike(
    world: tuple[Registry, FakeDisk], data: st.DataObject
) -> None:
    registry, disk = world
    item = data.draw(st.sampled_from(registry.repositories))
    texts = [fold(text) for other in registry.repositories for text in (other.label, str(other.root))]
    assume(texts.count(fold(item.label)) == 1 and item.label.strip() == item.label)
    spelled = item.label.replace("/", "\\").swapcase()
    # No other label may be exactly that text, or it would win.
    assume(fold(spelled) == fold(item.label))
    assert match(spelled, registry, home=None, disk=disk) == item


@UNHURRIED
@given(ROOTS)
def test_a_uri_is_decoded_once(root: str) -> None:
    registry = listed(root, root + "-other")
    once = match("file://" + quote(root), registry, home=HOME, disk=FakeDisk())
    assert once == registry.repositories[0]
    twice = match("file://" + quote(quote(root)), registry, home=HOME, disk=FakeDisk())
    assert quote(root) == root or isinstance(twice, Refusal)


@UNHURRIED
@given(
    st.lists(st.text(alphabet="abAB1", min_size=1, max_size=3), min_size=1, max_size=3), st.booleans(), st.booleans()
)
def test_windows_spellings_are_one(parts: list[str], share: bool, exists: bool) -> None:
    root = ("\\\\server\\share\\" if share else "C:\\") + "\\".join(parts)
    registry = listed(root, "D:\\other", windows=True)
    disk = windows_disk(root) if exists else windows_disk()
    slashed = root.replace("\\", "/")
    uri = "file:" + slashed if share else "file:///" + slashed.replace(":", "%3A")
    for argument in (root, root.lower(), root.upper(), slashed, slashed.swapcase() + "/", uri, root + "\\.\\"):
        assert match(argument, registry, home=None, disk=disk) == registry.repositories[0], argument
