from pathlib import Path

import pytest
import xmlschema

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["search-summary", "trial-eligibility"])
def test_the_test_report_keeps_to_the_schema_that_build_servers_share(name):
    xmlschema.XMLSchema(HERE / "junit.xsd").validate(HERE / "golden" / f"{name}.xml")


def test_the_schema_refuses_what_is_no_report():
    schema = xmlschema.XMLSchema(HERE / "junit.xsd")

    assert not schema.is_valid("<testsuites tests='1'><testcase name='a'/></testsuites>")
