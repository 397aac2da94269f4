internal import EvalLogs

extension EvalVerdict {
    /// JUnit XML with one test case per rule: worse than allowed is a failure, inconclusive is an error; losses are
    /// listed, largest first.
    public var junit: String {
        let failures = findings.count { $0.outcome == .worse }
        let errors = findings.count { $0.outcome == .cannotTell }
        let first = findings.first?.diff
        let suite = "eval diff \(first?.a.name ?? "A") \(first?.b.name ?? "B")"
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        lines.append(
            "  <testsuite name=\"\(xml(suite))\" tests=\"\(findings.count)\" failures=\"\(failures)\" "
                + "errors=\"\(errors)\" skipped=\"0\">")
        for finding in findings {
            lines.append(
                "    <testcase classname=\"\(xml(finding.diff.measure.title))\" name=\"\(xml(finding.title))\">")
            switch finding.outcome {
            case .allowed: break
            case .worse: lines.append("      <failure message=\"\(xml(finding.sentence))\" type=\"worse\"/>")
            case .cannotTell: lines.append("      <error message=\"\(xml(finding.sentence))\" type=\"cannot tell\"/>")
            }
            lines.append("      <system-out>\(xml(Self.report(finding)))</system-out>")
            lines.append("    </testcase>")
        }
        return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }

    private static func report(_ finding: Finding) -> String {
        let diff = finding.diff
        let losses = diff.pairs.prefix(while: \.isRegression)
        var text = finding.sentence
        for pair in losses.prefix(100) {
            text += "\n\(pair.word(diff.measure)): \(pair.id) (\(EvalFigure.value(pair.valueA)) to "
            text += "\(EvalFigure.value(pair.valueB)))"
        }
        if losses.count > 100 { text += "\nand \(losses.count - 100) more" }
        return text
    }
}

/// Returns text for attributes and elements of XML 1.0; unsupported characters become U+FFFD.
func xml(_ text: String) -> String {
    var escaped = ""
    for letter in text.unicodeScalars {
        switch letter {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&apos;"
        case "\t", "\n", "\r": escaped += "&#\(letter.value);"
        case _ where letter.value < 0x20 || letter.value == 0xFFFE || letter.value == 0xFFFF: escaped += "\u{FFFD}"
        default: escaped.unicodeScalars.append(letter)
        }
    }
    return escaped
}
