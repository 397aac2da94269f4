public import JSON
internal import Statistics
internal import Traces

extension EvalDiff: JSONRepresentable {
    /// Writes the figures in total and by slice, then the changed samples, without unknown values.
    public func write(to json: inout JSONWriter) {
        let unchanged: [EvalChange] = [.bothPass, .bothFail, .same]
        json.object {
            $0.heading(a, b, measure, sentence)
            $0.member("total", ifPresent: total)
            $0.member("unscored_a", unscoredA)
            $0.member("unscored_b", unscoredB)
            $0.member("missing_b", missing)
            $0.member("same_answers", copies)
            $0.member("reducer", a.reducer.name)
            $0.member("warnings", warnings)
            $0.member("only_a", onlyA)
            $0.member("only_b", onlyB)
            $0.member("slices", slices)
            $0.member("changed", pairs.filter { !unchanged.contains($0.change) || $0.gain != 0 })
        }
    }
}

extension JSONWriter {
    /// Writes the members that all comparisons of two runs begin with.
    mutating func heading(_ a: EvalRun, _ b: EvalRun, _ measure: EvalMeasure, _ sentence: String) {
        member("a", a.name)
        member("b", b.name)
        member("measure", measure.name)
        member("title", measure.title)
        member("higher_is_better", measure.higherIsBetter)
        member("sentence", sentence)
    }
}

extension EvalSliceDiff: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("slice", name)
            $0.member("value", value)
            $0.member("estimate", estimate)
        }
    }
}

extension EvalDiffEstimate: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("samples", samples)
            $0.member("clusters", ifPresent: clusters)
            $0.member("mean_a", meanA)
            $0.member("mean_b", meanB)
            $0.member("difference", difference)
            $0.member("standard_error", ifPresent: standardError)
            $0.member("lower", ifPresent: interval?.lower)
            $0.member("upper", ifPresent: interval?.upper)
            $0.member("level", ifPresent: interval?.level)
            $0.member("p", ifPresent: p)
            $0.member("test", test.rawValue)
            $0.member("test_name", test.name)
            $0.member("adjusted_p", ifPresent: adjusted?.p)
            $0.member("adjusted_lower", ifPresent: adjusted?.interval?.lower)
            $0.member("adjusted_upper", ifPresent: adjusted?.interval?.upper)
            if let exactP {
                $0.member("other_tests") { json in
                    json.array { json in
                        json.object {
                            $0.member("name", "McNemar's exact test")
                            $0.member("p", exactP)
                            $0.member("relation", "counts the same flips, ignores clusters, and gives no interval")
                        }
                    }
                }
            }
            $0.member("effect_size", ifPresent: effectSize)
            $0.member("fixed", flips.fixed)
            $0.member("broken", flips.broken)
            $0.member("both_pass", flips.bothPass)
            $0.member("both_fail", flips.bothFail)
            $0.member("worse", flips.worse)
            $0.member("better", flips.better)
            $0.member("same", flips.same)
            $0.member("smallest_detectable", ifPresent: smallestDetectable)
            $0.member("power", ifPresent: power)
            $0.member("needed_samples", ifPresent: neededSamples)
        }
    }
}

extension EvalPair: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("change", change.rawValue)
            $0.member("a", valueA)
            $0.member("b", valueB)
            $0.member("row_a", rowA)
            $0.member("row_b", rowB)
        }
    }
}

extension EvalVerdict: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("outcome", "\(outcome)")
            $0.member("exit", Int(exitCode))
            $0.member("words", words)
            $0.member("findings", findings)
        }
    }
}

extension EvalVerdict.Finding: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("rule", ifPresent: rule?.text)
            $0.member("measure", diff.measure.name)
            $0.member("outcome", "\(outcome)")
            $0.member("sentence", sentence)
            $0.member("diff", diff)
        }
    }
}
