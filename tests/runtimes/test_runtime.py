"""Which runtimes there are."""

import pytest

from app.runtimes.runtime import UnknownRuntimeError, load_runtime


def test_an_unknown_runtime_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(UnknownRuntimeError, match="no runtime 'cobol'; there is: torch"):
        load_runtime("cobol")
