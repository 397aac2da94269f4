/// Tokens of a sequence that something is done to.
public enum PositionSelection: Hashable, Sendable {
    case all
    case only(Int)
    case range(Range<Int>)
    /// From this token on: what a steering vector does while an answer comes.
    case from(Int)

    public func contains(_ position: Int) -> Bool {
        switch self {
        case .all: true
        case .only(let one): position == one
        case .range(let range): range.contains(position)
        case .from(let first): position >= first
        }
    }
}
