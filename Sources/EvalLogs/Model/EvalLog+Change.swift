/// What became of a log's file since it was looked at last.
public enum EvalLogChange: Hashable, Sendable {
    /// Nothing is new.
    case none
    /// Rows that were read stay right; behind them there may be more, and the head may tell more.
    case grown
    /// The file is another one, was cut, or has other scores: what was read of it holds no more.
    case replaced
}

extension EvalLog {
    /// Returns no change: logs that no other program writes report new rows themselves.
    public func refresh() -> EvalLogChange { .none }
}
