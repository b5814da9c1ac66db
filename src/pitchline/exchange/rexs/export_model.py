"""New REXS document of a model that was built in pitchline."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import ModelError
from ...model import Model
from .building import RexsBuilder
from .export_connections import ExportedConnections
from .export_gears import ExportedGears
from .export_hosts import Host, Hosts
from .export_loads import ExportedLoads
from .export_masses import ExportedMasses
from .export_report import RexsExport
from .versions import converted

__all__ = ["NewDocument", "new_document"]


@dataclass
class NewDocument:
    """Document and the component of each part of the model, by the name of the part."""

    hosts: Hosts
    gears: ExportedGears
    connections: ExportedConnections
    loads: ExportedLoads
    masses: ExportedMasses

    @property
    def parts(self) -> dict[str, int]:
        """Component id by the name of the part."""
        model = self.hosts.model
        shafts = {
            name: host.number for name in (*model.structures, *model.bodies) if (host := self._host(name)) is not None
        }
        others = self.connections.numbers, self.loads.numbers, self.masses.numbers
        found = {**shafts, **self.gears.gears, **self.gears.stages}
        for numbers in others:
            found.update(numbers)
        return found

    def _host(self, name: str) -> Host | None:
        structure = self.hosts.model.structures.get(name)
        if structure is not None and getattr(structure, "stations", None):
            return self.hosts.of(next(iter(structure.stations.values())).name)
        return self.hosts.of(name) if name in self.hosts.model.bodies else None


def new_document(model: Model, report: RexsExport) -> NewDocument:
    """Document with all parts of a model that REXS has; the report lists the others."""
    builder = RexsBuilder()
    hosts = Hosts(model, builder, report)
    gears = ExportedGears(hosts, builder, report)
    made = NewDocument(
        hosts,
        gears,
        ExportedConnections(hosts, builder, report),
        ExportedLoads(hosts, builder, report),
        ExportedMasses(hosts, gears, builder, report),
    )
    made.gears.add_all()
    made.connections.add_all()
    made.loads.add_all()
    made.masses.add_all()
    # The builder uses the names of the newest version.
    report.document = converted(replace(builder.document, version="2.0.0"), "1.7")
    if not builder.document.of_type("shaft"):
        raise ModelError(
            f'model "{model.name}" has no shaft and no gear: there is nothing to write to REXS. Make shafts with m.shaft, or gears '
            "with m.wheel"
        )
    return made
