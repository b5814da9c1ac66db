"""The errors carry what they should, also through pickling."""

import pickle

from pitchline.errors import ModelError, PitchlineError, SolveError, UnitError, near_names, shown


def test_one_problem_is_the_message() -> None:
    error = ModelError('body "a": no mass')
    assert str(error) == 'body "a": no mass'
    assert error.problems == ['body "a": no mass']


def test_many_problems_are_listed() -> None:
    error = ModelError(["first", "second"], title='model "m" has problems')
    assert error.problems == ["first", "second"]
    assert str(error) == 'model "m" has problems (2):\n  - first\n  - second'


def test_family() -> None:
    assert issubclass(UnitError, ModelError) and issubclass(ModelError, PitchlineError)
    error = SolveError("stopped", result=[1], time=0.5)
    assert (error.result, error.time, str(error)) == ([1], 0.5, "stopped")


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(ModelError(["first", "second"])))
    assert error.problems == ["first", "second"]
    assert pickle.loads(pickle.dumps(SolveError("stopped", time=0.5))).time == 0.5


def test_shown_is_short_and_never_fails() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert shown(Broken()) == "<Broken>"
    assert len(shown("x" * 1000)) == 60
    assert shown("a\nb") == r"'a\nb'"


def test_near_names() -> None:
    assert near_names("hing", ["hinge", "slider"]) == 'did you mean "hinge"?'
    assert near_names("zzz", ["hinge", "slider"]) == 'known: "hinge", "slider"'
    assert near_names("zzz", []) == "none are defined"
    assert near_names("force", ["mesh.normal_force", "angle"]) == 'did you mean "mesh.normal_force"?'
