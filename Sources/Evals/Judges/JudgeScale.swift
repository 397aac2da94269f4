internal import System

/// Scales of judges.
enum JudgeScale: String, CaseIterable {
    case five = "1-5"
    case ten = "1-10"
    case yesNo = "yes-no"

    var range: ClosedRange<Double> {
        switch self {
        case .five: 1...5
        case .ten: 1...10
        case .yesNo: 0...1
        }
    }

    /// Returns a score as a share of the way from the worst to the best.
    func share(_ mark: Double) -> Double { (mark - range.lowerBound) / (range.upperBound - range.lowerBound) }

    var form: String {
        switch self {
        case .yesNo: "\"reason\": \"...\", \"verdict\": \"yes\" or \"no\""
        default: "\"reason\": \"...\", \"score\": a number from \(rawValue.replacing("-", with: " to "))"
        }
    }

    /// Returns the score in a reply.
    func mark(_ reply: JudgeReply) throws(Problem) -> (mark: Double, reason: String?) {
        guard self == .yesNo else {
            let (value, reason) = try reply.number("score", in: range)
            return (value, reason)
        }
        let (word, reason) = try reply.word("verdict", of: ["yes", "no"])
        return (word == "yes" ? 1 : 0, reason)
    }
}
