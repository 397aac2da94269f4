/// Strengths that do not exist: some players were never beaten by the others, or never met them.
public struct BradleyTerryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Groups of players within which everybody has beaten everybody, be it over others.
    public var components: [[Int]]

    /// Groups as `stronglyConnected` finds them.
    public init(components: [[Int]]) { self.components = components }

    /// With numbers for names.
    public var sentence: String { sentence { "\($0)" } }

    /// With names instead of numbers.
    public func sentence(name: (Int) -> String) -> String {
        let groups = components.prefix(6).map { group in
            group.prefix(6).map(name).joined(separator: ", ") + (group.count > 6 ? ", …" : "")
        }
        let more = components.count > 6 ? " and \(components.count - 6) more" : ""
        return "There are no strengths: the players fall into groups (\(groups.joined(separator: " | "))\(more)) "
            + "between which games go one way only or there are none. Let them play each other, or rate each group alone."
    }

    /// The same sentence.
    public var description: String { sentence }
}

/// Groups of players each of whom can be reached from each other along wins, by the number of their first player.
///
/// Source: Kosaraju's two walks, without recursion. O(players²).
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
    var isTaken = [Bool](repeating: false, count: wins.count)
    for start in order.reversed() where !isTaken[start] {
        isTaken[start] = true
        var component = [start]
        var open = [start]
        while let player = open.popLast() {
            for other in wins.indices where !isTaken[other] && wins[other][player] > 0 {
                isTaken[other] = true
                component.append(other)
                open.append(other)
            }
        }
        components.append(component.sorted())
    }
    return components.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
}
