/// An error for games that do not determine strengths: some players never played each other, or never lost to each other.
public struct BradleyTerryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Groups of players. Within a group, every player has beaten every other player, directly or through others.
    public var components: [[Int]]

    /// Creates an error from groups of players.
    public init(components: [[Int]]) { self.components = components }

    /// Message with player numbers.
    public var sentence: String { sentence { "\($0)" } }

    /// Returns the message with player names.
    public func sentence(name: (Int) -> String) -> String {
        let groups = components.prefix(6).map { group in
            group.prefix(6).map(name).joined(separator: ", ") + (group.count > 6 ? ", …" : "")
        }
        let more = components.count > 6 ? " and \(components.count - 6) more" : ""
        return "Bradley-Terry strengths do not exist: the groups (\(groups.joined(separator: " | "))\(more)) have no "
            + "games between them, or only one side wins. Add games between the groups, or rate each group separately."
    }

    public var description: String { sentence }
}

/// Returns the strongly connected groups of players, with wins as edges, ordered by their first player.
///
/// - Complexity: O(players²).
/// - Source: Kosaraju's algorithm, without recursion.
func stronglyConnected(_ wins: [[Double]]) -> [[Int]] {
    var order: [Int] = []
    var seen = [Bool](repeating: false, count: wins.count)
    for start in wins.indices where !seen[start] {
        seen[start] = true
        var path = [(player: start, next: 0)]
        while let top = path.last {
            guard let next = (top.next..<wins.count).first(where: { !seen[$0] && wins[top.player][$0] > 0 }) else {
                order.append(top.player)
                path.removeLast()
                continue
            }
            path[path.count - 1].next = next + 1
            seen[next] = true
            path.append((next, 0))
        }
    }
    var components: [[Int]] = []
    var isAssigned = [Bool](repeating: false, count: wins.count)
    for start in order.reversed() where !isAssigned[start] {
        isAssigned[start] = true
        var component = [start]
        var pending = [start]
        while let player = pending.popLast() {
            for other in wins.indices where !isAssigned[other] && wins[other][player] > 0 {
                isAssigned[other] = true
                component.append(other)
                pending.append(other)
            }
        }
        components.append(component.sorted())
    }
    return components.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
}
