"""Joins the metrics of several processes or machines into one text in which each figure has its origin as a label."""

from collections.abc import Iterable, Mapping

from prometheus_client import generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector


def label_metrics(label: str, texts: Mapping[str, str]) -> bytes:
    """Return the metrics of all origins as one text. `texts` are by origin, which becomes the value of `label`."""
    return generate_latest(LabelledMetrics(label, texts))


class LabelledMetrics(Collector):
    def __init__(self, label: str, texts: Mapping[str, str]) -> None:
        self._label, self._texts = label, texts

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        for origin, text in self._texts.items():
            for family in text_string_to_metric_families(text):
                into = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    into.add_sample(sample.name, {**sample.labels, self._label: origin}, sample.value)
        return families.values()
