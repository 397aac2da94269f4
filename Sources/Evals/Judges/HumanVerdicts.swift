public import System

/// Human verdicts on pairs of answers: one word per line, as published by FairEval.
public enum HumanVerdicts {
    /// - Parameters:
    ///   - first: Word for the first model, such as `CHATGPT`; case is ignored, `TIE` is a tie.
    /// - Throws: `Problem` with the line of any other word.
    public static func read(
        _ text: String, first: String, second: String, path: String = ""
    ) throws(Problem) -> [PairwiseJudge.Verdict] {
        var verdicts: [PairwiseJudge.Verdict] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            switch line.trimmed.lowercased() {
            case "": continue
            case first.lowercased(): verdicts.append(.first)
            case second.lowercased(): verdicts.append(.second)
            case "tie": verdicts.append(.tie)
            default:
                throw Problem(
                    .unknown, path, line: number + 1, "unknown verdict \"\(line.prefix(40))\"",
                    remedy: "Use \(first), \(second), or TIE.")
            }
        }
        return verdicts
    }
}
