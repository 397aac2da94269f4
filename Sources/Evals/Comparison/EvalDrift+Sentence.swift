internal import EvalLogs
internal import Formatting
public import JSON

extension EvalDrift {
    /// A sentence with subject, result, test, and size.
    public var sentence: String {
        guard let first = figures.first else {
            let silent = countReference == 0 ? reference.name : current.name
            return "\(silent) reports no \(subject) for any sample"
        }
        var text = "\(subject): " + (first.isDrift ? "drift detected" : "no drift detected") + " (\(first.words)); "
        if let medianReference, let medianCurrent {
            text +=
                "the median is \(Format.metric(medianReference)) in A and \(Format.metric(medianCurrent)) in B"
        } else {
            text += "the test compared the share of each value in \(Format.count(countReference)) samples from A and "
            text += "\(Format.count(countCurrent)) from B"
        }
        if missing > 0 { text += "; \(Format.count(missing, "sample")) without a value" }
        return text
    }
}

extension EvalDrift.Figure {
    /// The figure in words: `Kolmogorov-Smirnov 0.312, p < .001, drift if p < 0.05`.
    public var words: String { "\(name) \(Format.metric(value))\(p.map { ", p \(Format.pValue($0))" } ?? ""), \(rule)" }

    /// The condition for drift.
    public var rule: String {
        p == nil
            ? "drift if \(limit) or more"
            : "drift if p < \(limit)"
    }
}

extension EvalDrift: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("a", reference.name)
            $0.member("b", current.name)
            $0.member("of", subject)
            $0.member("sentence", sentence)
            $0.member("drift", isDrift)
            $0.member("samples_a", countReference)
            $0.member("samples_b", countCurrent)
            $0.member("missing", missing)
            $0.member("median_a", ifPresent: medianReference)
            $0.member("median_b", ifPresent: medianCurrent)
            $0.member("figures", figures)
        }
    }
}

extension EvalDrift.Figure: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("value", value)
            $0.member("p", ifPresent: p)
            $0.member("limit", limit)
            $0.member("decides", decides)
            $0.member("drift", isDrift)
        }
    }
}
