"""Small REXS documents with every kind of value, for tests of reading, writing and damaged files."""

import io
import tempfile
import zipfile
from pathlib import Path

from pitchline.exchange.rexs.checking import check_rexs
from pitchline.exchange.rexs.component import RexsDocument
from pitchline.exchange.rexs.reading import read_rexs
from pitchline.exchange.rexs.to_rexs import write_rexs
from pitchline.exchange.rexs.xml_writing import json_text, xml_text

TWO_STAGE = Path(__file__).parent / "rexs" / "two_stage.rexs"

ALL_VALUES = """\ufeff<?xml version="1.0" encoding="UTF-8"?>
<model version="1.7" applicationId="pitchline" applicationVersion="1" date="2026-01-01T00:00:00+00:00" site="north &amp; east">
  <relations owner="me">
    <relation id="1" type="assembly" note="first"><ref id="1" role="assembly" hint="gear_unit"/><ref id="2" role="part" seen="yes"/></relation>
    <relation id="2" type="ordered_assembly" order="1"><ref id="2" role="assembly"/><ref id="3" role="part"/></relation>
    <relation id="3" type="my_relation"><ref id="3" role="my_role"/><why>because</why></relation>
  </relations>
  <components>
    <component id="1" type="gear_unit" name="Unit &lt;1&gt; 'ü'">
      <attribute id="account_for_gravity" unit="none">true</attribute>
      <attribute id="custom_number">12.50</attribute>
      <attribute id="custom_code">007</attribute>
      <attribute id="custom_text" unit="">  two
 lines  </attribute>
      <attribute id="custom_empty"/>
      <attribute id="gravitational_acceleration" unit="m / s^2">+9.81</attribute>
    </component>
    <!-- lost -->
    <component id="2" type="assembly_group" colour="red">
      <attribute id="support_vector" unit="mm" checked="1"><array><c>1.0</c><c>-2</c><c>3e1</c></array></attribute>
      <attribute id="u_axis_vector" unit="mm"><array code="float64" made="here">AAAAAAAA8D8AAAAAAAAAAAAAAAAAAAAA</array></attribute>
      <attribute id="reduced_static_stiffness_matrix"><matrix code="float32" rows="2" columns="2">AACAPwAAAEAAAEBAAACAQA==</matrix></attribute>
      <attribute id="topographical_modification_amounts" unit="mm"><matrix kind="full"><r n="1"><c>1</c><c>2.5</c></r><r><c>3</c><c/></r></matrix></attribute>
      <attribute id="element_structure"><array_of_arrays><array code="int32">AQAAAAIAAAA=</array><array code="int32">AwAAAA==</array></array_of_arrays></attribute>
      <attribute id="custom_lists"><array_of_arrays><array><c>1</c><c>2</c></array><array><c>3</c></array></array_of_arrays></attribute>
      <attribute id="custom_words"><array><c>a b</c><c/><c>true</c></array></attribute>
      <extension a="1"><deep>text</deep><deep b="2"/></extension>
    </component>
    <component id="3" type="something_new"/>
  </components>
  <load_spectrum id="4" origin="test">
    <load_case id="1" label="start"><component id="1" type="gear_unit"><attribute id="operating_time_fraction" unit="%">40</attribute></component></load_case>
    <load_case id="2"/>
    <accumulation><component id="2" type="assembly_group"><attribute id="custom_sum">1</attribute></component></accumulation>
  </load_spectrum>
  <load_spectrum id="5"><load_case id="1"/></load_spectrum>
  <appendix><page number="1"/></appendix>
</model>
"""  # noqa: E501
"""XML with every kind of value, unknown elements and further attributes."""


def archive_of(text: bytes, name: str = "model.rexs") -> bytes:
    """Zip archive with a model and another file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
        archive.writestr("data/points.gde", b"0 1 2\n")
    return stream.getvalue()


def document_of(text: str) -> RexsDocument:
    """Document of an XML or JSON text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.rexs"
        path.write_text(text, encoding="utf-8")
        return read_rexs(path)


def seeds() -> list[tuple[str, bytes]]:
    """Files for damage: XML, JSON and archives."""
    text = ALL_VALUES.encode()
    as_json = json_text(document_of(ALL_VALUES)).encode()
    large = TWO_STAGE.read_bytes()
    return [
        ("values.rexs", text),
        ("values.rexsj", as_json),
        ("values.rexsz", archive_of(text)),
        ("two_stage.rexs", large),
        ("stored.rexsz", _stored(as_json)),
    ]


def _stored(text: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("model.rexsj", text)
    return stream.getvalue()


def read_check_and_write(path: Path) -> None:
    """Read a file, check it, and write it in both texts; what can be written is read again as an equal document."""
    document = read_rexs(path)
    check_rexs(document)
    for container, make in (("xml", xml_text), ("json", json_text)):
        made = path.parent / f"again.{container}"
        document.files = {}
        write_rexs(document, made, container=container, overwrite=True)  # type: ignore[arg-type]
        if read_rexs(made) != document:
            raise RuntimeError(f"the document differs after writing {container}: {len(make(document))} characters")
