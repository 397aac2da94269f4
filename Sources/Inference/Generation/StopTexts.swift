/// Ends an answer at the first of some texts, wherever the borders of tokens fall.
///
/// What could still become a stop is held back: as soon as it cannot, it comes out with what follows. The outcome does
/// not depend on how the text is cut into pieces: the stop that is complete first wins, of two that end together the
/// longer one.
public struct StopTexts: Sendable {
    private let stops: [[UInt8]]
    private var held: [UInt8] = []
    /// Whether a stop was met; nothing comes out any more.
    public private(set) var isStopped = false

    /// - Parameter stops: Stop texts; empty ones are ignored.
    public init(_ stops: [String]) {
        self.stops = stops.map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// Adds a piece of text; returns the part that cannot belong to a stop text.
    public mutating func append(_ text: String) -> String {
        guard !isStopped else { return "" }
        guard !stops.isEmpty else { return text }
        let known = held.count
        held += text.utf8
        for end in known..<held.count {
            for stop in stops where held[...end].ends(with: stop) {
                isStopped = true
                let released = held[..<(end + 1 - stop.count)]
                held = []
                return String(decoding: released, as: UTF8.self)
            }
        }
        // UTF-8 patterns match at the borders of characters only, so no character is cut here.
        let longest = stops[0].count
        let first = (max(0, held.count - longest + 1)...held.count).first { start in
            stops.contains { $0.starts(with: held[start...]) }
        }
        let released = held[..<(first ?? held.count)]
        held.removeSubrange(..<released.endIndex)
        return String(decoding: released, as: UTF8.self)
    }

    /// Returns the pending text, if the generation ended for another reason.
    public mutating func finish() -> String {
        defer { held = [] }
        return isStopped ? "" : String(decoding: held, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with other: [UInt8]) -> Bool { count >= other.count && suffix(other.count) == other[...] }
}
