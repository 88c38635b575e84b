#!/usr/bin/env python3
"""Judge of e-invoices (UBL 2.1) and audit files (XAF) by the rules that their publishers give out.

  validate.py [--json] FILE...   one line per file and finding; exit status 1 if any file is invalid
  validate.py -                  warm: a path per line in, a JSON answer per line out (100 files in about a second)

UBL: OASIS XSD, then EN 16931. With the folder EINVOICE_RULES holding PEPPOL.xslt and NLCIUS.xslt (compiled Schematron, Peppol BIS Billing 3 and
SI-UBL 2.0) these too. XAF 3.2, 3.2.1, 4.0: XSD by namespace. Fatal = invalid; warnings are printed only.
The rules come out of the packages that xtask/src/judge/documents.rs names; nothing is fetched.
"""
import importlib.util
import json
import os
import sys
import time

from lxml import etree

SVRL = "{http://purl.oclc.org/dsdl/svrl}"
UBL = {"{urn:oasis:names:specification:ubl:schema:xsd:Invoice-2}Invoice": "UBL-Invoice-2.1.xsd",
       "{urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2}CreditNote": "UBL-CreditNote-2.1.xsd"}
XAF = {"http://www.auditfiles.nl/XAF/3.2": "XmlAuditfileFinancieel3.2.xsd",
       "http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.0/structures/XmlAuditfileFinancieel3.2.1": "XmlAuditfileFinancieel3.2.1.xsd",
       "http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0": "XmlAuditfileFinancieel4.0.xsd"}
_compiled, _saxon = {}, None


def find(package, name):
    """A file of an installed package, wherever the package keeps it."""
    spec = importlib.util.find_spec(package)          # finds it without running it
    for folder, _, files in os.walk(spec.submodule_search_locations[0] if spec else ""):
        if name in files:
            return os.path.join(folder, name)
    raise FileNotFoundError(f"{name} is not in the package {package}")


def xsd(package, name):
    if name not in _compiled:
        _compiled[name] = etree.XMLSchema(etree.parse(find(package, name)))
    return _compiled[name]


def rules(path):
    global _saxon
    if path not in _compiled:
        from saxonche import PySaxonProcessor
        _saxon = _saxon or PySaxonProcessor(license=False)
        _compiled[path] = _saxon.new_xslt30_processor().compile_stylesheet(stylesheet_file=path)
    return _compiled[path]


def finding(layer, severity, rule, text, where=""):
    return dict(layer=layer, severity=severity, rule=rule, text=" ".join(text.split()), where=where)


def by_xsd(tree, schema, layer):
    return [] if schema.validate(tree) else [finding(layer, "fatal", "XSD", e.message, f"line {e.line}") for e in schema.error_log]


def by_rules(path, layer, stylesheet):
    run = rules(stylesheet)
    report = etree.fromstring(run.transform_to_string(xdm_node=_saxon.parse_xml(xml_file_name=os.path.abspath(path))).encode())
    found = [] if report.findall(SVRL + "fired-rule") else [finding(layer, "fatal", "NONE", "no rule fired")]
    for f in report.iter(SVRL + "failed-assert", SVRL + "successful-report"):
        severity = "warning" if (f.get("flag") or f.get("role")) == "warning" else "fatal"
        found.append(finding(layer, severity, f.get("id") or "?", f.findtext(SVRL + "text") or "", f.get("location") or ""))
    return found


def judge(path):
    start, layers, found = time.perf_counter(), [], []
    try:
        tree = etree.parse(path, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
        root = tree.getroot()
        namespace = etree.QName(root).namespace or ""
        if namespace in XAF:
            layers = ["XAF"]
            found = by_xsd(tree, xsd("pyxaf", XAF[namespace]), "XAF")
        elif root.tag in UBL:
            layers = ["UBL", "EN16931"]
            found = by_xsd(tree, xsd("peppol", UBL[root.tag]), "UBL")
            found += by_rules(path, "EN16931", find("mcp_einvoicing_core", "CEN-EN16931-UBL.xslt"))
            for layer in ("PEPPOL", "NLCIUS"):
                extra = os.path.join(os.environ.get("EINVOICE_RULES", ""), layer + ".xslt")
                if os.environ.get("EINVOICE_RULES") and os.path.exists(extra):
                    layers.append(layer)
                    # The two rules that only ask for their own CustomizationID: one file cannot carry both.
                    found += [f for f in by_rules(path, layer, extra) if f["rule"] != "PEPPOL-EN16931-R004" and "SI-V20-INV-R000" not in f["text"]]
        else:
            found = [finding("-", "fatal", "UNKNOWN", f"no schema for {root.tag}")]
    except (etree.XMLSyntaxError, OSError) as e:
        found = [finding("-", "fatal", "XML", str(e))]
    return dict(file=path, valid=not any(f["severity"] == "fatal" for f in found), layers=layers, findings=found,
                ms=round((time.perf_counter() - start) * 1000))


def main(argv):
    files = [a for a in argv if not a.startswith("--")]
    if files == ["-"]:
        for line in sys.stdin:
            print(json.dumps(judge(line.strip())), flush=True)
        return 0
    bad = 0
    for path in files:
        r = judge(path)
        bad += not r["valid"]
        if "--json" in argv:
            print(json.dumps(r))
            continue
        print(f"{'VALID  ' if r['valid'] else 'INVALID'} {path} [{' '.join(r['layers'])}] {r['ms']} ms")
        for f in r["findings"]:
            print(f"   {f['severity']:7} {f['layer']} {f['rule']}: {f['text'][:220]} {f['where'][-80:]}")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
