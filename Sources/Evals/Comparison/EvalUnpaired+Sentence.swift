public import JSON
internal import Statistics
internal import Traces

extension EvalUnpaired {
    /// The comparison in one line, like ``EvalDiff/sentence``.
    public var sentence: String {
        guard let difference, let meanA, let meanB else { return "One run has no value for \(measure.title)" }
        let unit = EvalUnit(measure, isPoints: isPoints)
        var text =
            difference == 0
            ? "A and B are equal in \(measure.title)"
            : "B \(unit.verb) \(unit.size(abs(difference))) \(unit.direction(difference))"
        text += " on \(EvalFigure.grouped(meanB.count)) samples than A on \(EvalFigure.grouped(meanA.count)) others"
        if difference == 0 { text = text.replacing(" than A on ", with: " and ") }
        if let interval {
            text += " (\(EvalFigure.percent(interval.level)) \(unit.interval(interval))"
            text += (p.map { ", \(EvalFigure.p($0)), \(test.name)" } ?? "") + ")"
            if interval.contains(0), difference != 0 { text += ", which may be chance" }
        } else {
            text += ", but chance cannot be assessed"
        }
        if let smallestDetectable {
            text += "; these samples can detect differences of \(unit.size(smallestDetectable)) or more (80 % power)"
        }
        if unscoredA + unscoredB > 0 { text += "; without a value: \(unscoredA) in A, \(unscoredB) in B" }
        if shared > 0 {
            text +=
                "; \(EvalFigure.count(shared, "sample")) are in both runs: omit --unpaired to compare them as pairs"
        }
        return text
    }
}

extension EvalUnpaired: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.heading(a, b, measure, sentence)
            $0.member("samples_a", meanA?.count ?? 0)
            $0.member("samples_b", meanB?.count ?? 0)
            $0.member("mean_a", ifPresent: meanA?.mean)
            $0.member("mean_b", ifPresent: meanB?.mean)
            $0.member("difference", ifPresent: difference)
            $0.member("lower", ifPresent: interval?.lower)
            $0.member("upper", ifPresent: interval?.upper)
            $0.member("level", ifPresent: interval?.level)
            $0.member("p", ifPresent: p)
            $0.member("test", test.rawValue)
            $0.member("test_name", test.name)
            $0.member("smallest_detectable", ifPresent: smallestDetectable)
            $0.member("unscored_a", unscoredA)
            $0.member("unscored_b", unscoredB)
            $0.member("shared", shared)
            $0.member("outcome", "\(outcome)")
            $0.member("exit", Int(outcome.exitCode))
        }
    }
}
