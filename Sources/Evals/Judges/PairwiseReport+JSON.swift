public import JSON
internal import Statistics

extension PairwiseReport: JSONRepresentable {
    /// Writes the report without undefined values.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("count", count)
            $0.member("unread", unread)
            $0.member("wins_a", winsA)
            $0.member("wins_b", winsB)
            $0.member("ties", ties)
            $0.member("flip_rate", ifPresent: flipRate)
            $0.member("win_rate", ifPresent: winRate)
            $0.member("win_rate_error", ifPresent: winRateError)
            $0.member("first_share", ifPresent: firstShare)
            $0.member("first_lower", ifPresent: firstInterval?.lower)
            $0.member("first_upper", ifPresent: firstInterval?.upper)
            $0.member("longer_wins", ifPresent: longerWins)
        }
    }
}
