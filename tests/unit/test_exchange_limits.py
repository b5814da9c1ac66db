"""Files of other programs: sizes, archives, XML and the report of an import."""

import io
import zipfile
from pathlib import Path

import pytest

from pitchline.exchange import safe_xml
from pitchline.exchange import safe_xml as limits
from pitchline.exchange.mass_table import ImportReport
from pitchline.exchange.safe_xml import ExchangeError, archive_members, file_bytes, member_bytes, parse_xml


def archive(**members: bytes) -> zipfile.ZipFile:
    """Zip archive in memory; names of members are the keys, with "__" for a slash and "UP" for two dots."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(name.replace("__", "/").replace("UP", ".."), data)
    return zipfile.ZipFile(io.BytesIO(stream.getvalue()))


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large.xml"
    file.write_bytes(b"x" * 2000)
    with pytest.raises(ExchangeError, match=r"large\.xml: the file has 0\.0 MB, the limit is 0\.0 MB"):
        file_bytes(file, most=1999)
    assert file_bytes(file, most=2000) == b"x" * 2000


@pytest.mark.parametrize("name", ["missing.xml", "with\0null"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ExchangeError, match="cannot be read"):
        file_bytes(tmp_path / name)


def test_an_archive_that_unpacks_to_too_much_is_refused() -> None:
    bomb = archive(zeros=b"\0" * 1_000_000)
    with pytest.raises(ExchangeError, match=r"the limit is 0\.5 MB"):
        archive_members(bomb, "bomb.zip", most=500_000)


def test_an_archive_whose_directory_states_a_smaller_size_is_refused() -> None:
    source = archive(zeros=b"\0" * 1000)
    (member,) = archive_members(source, "a.zip")
    member.file_size = 10
    with pytest.raises(ExchangeError, match="archive"):
        member_bytes(source, member, "a.zip")


@pytest.mark.parametrize("name", ["UP__outside", "inside__UP__UP__outside", "__absolute", "C:__windows"])
def test_paths_that_leave_an_archive_are_refused(name: str) -> None:
    with pytest.raises(ExchangeError, match="outside the archive"):
        archive_members(archive(**{name: b"x"}), "a.zip")


def test_an_archive_with_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_MEMBERS", 1)
    with pytest.raises(ExchangeError, match="2 files, the limit is 1"):
        archive_members(archive(a=b"", b=b""), "a.zip")


def test_xml_has_local_names_texts_and_lines() -> None:
    root = parse_xml(b'<n:a xmlns:n="x">\n <b k="1">one<c/>two</b>\n <b/></n:a>', "a.xml")
    assert (root.tag, [b.line for b in root.all("b")]) == ("a", [2, 3])
    first = root.first("b")
    assert first is not None and first.text == "onetwo" and first.attributes == {"k": "1"}
    assert [element.tag for element in root.walk()] == ["a", "b", "c", "b"]
    assert root.first("missing") is None


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    ],
)
def test_document_types_and_entities_are_refused(text: str) -> None:
    with pytest.raises(ExchangeError, match=r"a\.xml, line 1: the file declares a document type"):
        parse_xml(text.encode(), "a.xml")


@pytest.mark.parametrize(
    "text", [b"", b"<a>", b"<a></b>", b"<a>&unknown;</a>", b"\xff\xfe\0", b'<?xml version="1.0" encoding="none"?><a/>']
)
def test_broken_xml_is_an_error_with_the_name_of_the_file(text: bytes) -> None:
    with pytest.raises(ExchangeError, match=r"a\.xml.*not valid XML"):
        parse_xml(text, "a.xml")


def test_deep_and_long_xml_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = limits.MOST_DEPTH + 1
    with pytest.raises(ExchangeError, match="nested more than 200 deep"):
        parse_xml(b"<a>" * deep + b"</a>" * deep, "a.xml")
    monkeypatch.setattr(safe_xml, "MOST_ITEMS", 2)
    with pytest.raises(ExchangeError, match="more than 2 elements"):
        parse_xml(b"<a><b/><b/></a>", "a.xml")


def test_a_report_lists_what_is_not_in_the_model_first_and_each_text_once() -> None:
    report = ImportReport()
    report.add("used", "shaft 1")
    report.add("ignored", "load 7")
    report.add("ignored", "load 7")
    assert report.of("ignored") == ["load 7"]
    assert report.text() == "Not in the model:\n  - load 7\nUsed:\n  - shaft 1"
