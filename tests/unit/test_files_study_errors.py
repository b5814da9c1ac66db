"""Studies in model files: what is wrong is said with its place before computing."""

import pytest
from references.studied_pair import BATCH, BOTH_WAYS, BRANCH, OPTIMUM, SWEEP, problems, text

import pitchline as pl
from pitchline import files


@pytest.mark.parametrize(
    "study, old, new, key, message",
    [
        (SWEEP, "over = {", "over = { x = 1,", "over.x", 'there is no parameter "x"; known: "speed"'),
        (SWEEP, "count = 3", "count = 0", "over.stiffness", "must be a whole number"),
        (SWEEP, "count = 3", "cuont = 3", "over.stiffness.cuont", 'unknown key "cuont"; did you mean "count"'),
        (SWEEP, ", count = 3", "", "over.stiffness", '"count" is missing'),
        (SWEEP, "{ first", '{ kind = "line", first', "over.stiffness.kind", "there is no kind 'line' of values"),
        (SWEEP, '"1e8 N/m"', '"1e8 N"', "over.stiffness", "Specify all values of a parameter with units of one dimension"),
        (SWEEP, '["100 N*m", "200 N*m"]', "[]", "over.torque", "the list of values is empty"),
        (SWEEP, '["100 N*m", "200 N*m"]', '["100 N", "200 N"]', "", "torque: got force (N), expected torque or energy"),
        (SWEEP, '["100 N*m", "200 N*m"]', '["100 N*m", "= tork"]', "over.torque[1]", 'unknown parameter "tork"'),
        (SWEEP, "torque = [", 'flank = ["face"], torque = [', "", "flank: 'face' is not one of the choices"),
        (SWEEP, "torque = [", 'backlash = ["1 mm"], torque = [', "", "greater than the upper limit"),
        (SWEEP, "torque = [", "teeth = [0, 5], torque = [", "", '"study" at teeth = 0'),
        (SWEEP, "over = {", 'method = "sobol"\nover = {', "method", "applies only to distributions"),
        (SWEEP, 'figures = ["deflection"]', "", "", '"figures" is missing'),
        (SWEEP, '["deflection"]', '["deflexion"]', "figures[0]", 'there is no figure "deflexion"; did you mean "deflection"'),
        (SWEEP, '["deflection"]', "[]", "figures", "the list is empty"),
        (SWEEP, '["deflection"]', '"deflection"', "figures", "must be a list of names"),
        (SWEEP, 'kind = "sweep"', 'kind = "sweeep"', "kind", "there is no analysis 'sweeep'; did you mean \"sweep\""),
        (SWEEP, "over = {", "ower = {", "ower", 'unknown key "ower"'),
        (SWEEP, 'name = "study"', 'name = "study"\nparameters = { x = 1 }', "parameters.x", 'there is no parameter "x"'),
        (SWEEP, 'name = "study"', 'name = "study"\nparameters = { torque = 1 }', "parameters.torque", "is varied by the study"),
        (SWEEP, 'name = "study"', 'name = "study"\nparameters = { backlash = "1 mm" }', "", "greater than the upper limit"),
        (BATCH, '"mesh.contact_loss"', '"mesh.contactloss"', "reduce", 'has no signal "contactloss" in a batch'),
        (BATCH, '"mesh.contact_loss"', '"mash.contact_loss"', "reduce", 'there is no gear pair or joint "mash"'),
        (BATCH, "settle = 40", "settle = -1", "settle", "must be a whole number, 0 or more"),
        (BATCH, "settle = 40", 'cycle = "msh"', "", "msh"),
        (BATCH, "settle = 40", 'device = "tpu"', "device", "tpu"),
        (BATCH, '["mesh", 4]', '["mesh"]', "poincare", "must be a list of a gear pair or joint and a number"),
        (BATCH, '["mesh", 4]', '["mash", 4]', "poincare", 'there is no gear pair or joint "mash"'),
        (BATCH, "record = 8", "records = 8", "records", 'unknown key "records"'),
        (BOTH_WAYS, '"speed"', '"sped"', "swept", "there is no parameter 'sped'; did you mean \"speed\""),
        (BOTH_WAYS, "settle = 30", 'then = "up"', "then", "there is no then 'up'"),
        (BOTH_WAYS, "{ first = \"3000 rpm\"", '{ kind = "uniform", low = 1, high = 2 } #', "values", "not a distribution"),
        (BOTH_WAYS, "count = 4", "count = 1", "values", "needs two values or more"),
        (BOTH_WAYS, "settle = 30", "over = { speed = [1, 2] }", "", "speed"),
        (BRANCH, 'over = "speed"', 'over = "sped"', "over", "there is no parameter 'sped'"),
        (BRANCH, '"8000 rpm"', '"7000 rpm"', "", "are both"),
        (BRANCH, '"8000 rpm"', '"8 N"', "", "is force, but '7000 rpm' is angular velocity"),
        (OPTIMUM, "minimise", "maximise = \"forces\"\nminimise", "", "specify the figure, either"),
        (OPTIMUM, '["1e8 N/m", "4e8 N/m"]', '["1e8 N/m"]', "over.stiffness", "must be a lower and an upper bound"),
        (OPTIMUM, '["1e8 N/m", "4e8 N/m"]', '["4e8 N/m", "1e8 N/m"]', "", "must be below the upper bound"),
        (OPTIMUM, "{ stiffness", "{ teeth = [20, 40], stiffness", "", "the parameter teeth is an integer (50)"),
        (OPTIMUM, 'cases = { torque', 'cases = { tork', "cases", 'there is no parameter "tork"'),
        (OPTIMUM, 'cases = { torque', 'cases = { stiffness', "cases", '"stiffness" is varied and also specified by the cases'),
        (OPTIMUM, "evaluations = 30", 'of_cases = "most"', "of_cases", "there is no of cases 'most'"),
        (OPTIMUM, "evaluations = 30", 'method = "newton"', "method", "there is no method 'newton'"),
        (OPTIMUM, "evaluations = 30", "evaluations = 0", "evaluations", "must be a whole number from 1"),
        (OPTIMUM, "evaluations = 30", "tolerance = 2", "tolerance", "above 0 and below 1"),
        (OPTIMUM, "evaluations = 30", 'start = { torque = "1 N*m" }', "start.torque", '"torque" is not varied'),
        (OPTIMUM, "evaluations = 30", 'start = { stiffness = "9e9 N/m" }', "", "is outside its bounds"),
        (OPTIMUM, "evaluations = 30", "limits = { deflection = 3 }", "limits", "must be a dict with min or max"),
        (OPTIMUM, "evaluations = 30", "limits = { deflexion = { max = 3 } }", "limits.deflexion", 'there is no figure "deflexion"'),
        (OPTIMUM, '"deflection"\nfigures', '"forces"\nfigures', "", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_computing(study: str, old: str, new: str, key: str, message: str) -> None:
    assert old in study
    found = problems(study.replace(old, new, 1))
    if not message:  # found at the first evaluation: a list is not a number to minimise
        assert found == []
        with pytest.raises(pl.SolveError, match='the figure "forces" must be one number'):
            files.read(text(study.replace(old, new, 1))).run(only=["study"])
        return
    place = f"analyses[1].{key}" if key else "analyses[1]"
    assert any(where.startswith(place) and message in said for where, said in found), found


def test_a_study_does_not_use_figures_of_a_study() -> None:
    figures = "of_study = { value = '= max(analyses.study[\"deflection\"])' }\nplain = { value = '= torque' }"
    more = SWEEP.replace('"study"', '"second"').replace('["deflection"]', '["of_study", "plain"]')
    found = problems(SWEEP + "[[analyses]]\n" + more, figures)
    said = dict(found)
    assert 'needs the study "study"' in said["analyses[2].figures[0]"]
    assert "needs no analysis" in said["analyses[2].figures[1]"]


@pytest.mark.parametrize(
    "study, expression, message",
    [
        (SWEEP, "analyses.study", '"study" is a study. Specify a value, e.g. analyses.study["deflection"]'),
        (SWEEP, 'analyses.study["deflexion"]', 'has no value "deflexion"; did you mean "deflection"'),
        (SWEEP, 'max(analyses.study["torque"]) + "1 mm"', "cannot add torque"),
        (SWEEP.replace("torque = [", 'flank = ["hoop"], torque = ['), "analyses.study.flank", "is a text, not a number"),
        (SWEEP.replace('["deflection"]', '["later"]'), 'max(analyses.study["later"])', "must be specified before"),
        (BATCH, 'analyses.study["mesh.normal_force.max"]', "has no value"),
        (BATCH, "analyses.study.speed.x", "is a list. Use an index"),
        (BOTH_WAYS, "analyses.study.jumps.left", 'has no value "left"'),
        (BOTH_WAYS, "analyses.study.up", "specify a name"),
        (BRANCH, "analyses.study.fold", 'did you mean "folds"'),
        (OPTIMUM, "analyses.study.best", "specify a name"),
        (OPTIMUM, "analyses.study.best.torque", 'has no value "torque"'),
        (OPTIMUM, "analyses.study.bests", 'did you mean "best"'),
        (OPTIMUM, "analyses.study.best.stiffness + analyses.study.value", "cannot add"),
    ],
)  # fmt: skip
def test_figures_of_studies_are_checked(study: str, expression: str, message: str) -> None:
    figures = f"x = {{ value = '''= {expression}''' }}\nlater = {{ value = '= final(\"rest: mesh.deflection\")' }}"
    (problem,) = problems(study, figures)[:1]
    assert problem[0] == "figures.x.value" and message in problem[1]


@pytest.mark.parametrize(
    "study, plot, key, message",
    [
        (SWEEP, 'variables = ["deflexion"]', "variables[0]", "has no variable 'deflexion'"),
        (SWEEP, 'what = "maps"', "what", "there is no picture 'maps'"),
        (SWEEP, 'over = "speed"', "over", "has no parameter 'speed'"),
        (SWEEP, 'where = { speed = 3 }', "where.speed", "has no parameter 'speed'"),
        (SWEEP, "where = 3", "where", "must be a table of parameters"),
        (SWEEP, 'boundary = "x"', "boundary", "has no variable 'x'"),
        (SWEEP, 'compare = ["x"]', "compare[0]", "there is no study 'x'"),
        (SWEEP, "by = 3", "by", "must be a text"),
        (SWEEP, 'sweep = "study"', "sweep", 'a plot of sweep has no "sweep"'),
        (BRANCH, 'sweep = "x"', "sweep", "there is no study 'x'"),
        (BRANCH, 'branches = ["rest"]', "branches[0]", "there is no study 'rest'"),
        (OPTIMUM, 'over = "torque"', "over", 'a plot of optimum has no "over"'),
    ],
)  # fmt: skip
def test_plots_of_studies_are_checked(study: str, plot: str, key: str, message: str) -> None:
    (problem,) = problems(study, f'[plot]\nanalysis = "study"\n{plot}\n')
    assert problem[0] == f"plot.{key}" and message in problem[1]
