internal import Glibc

/// Edit distance to one sequence, computed in a band around the diagonal; results for the previous sequence are reused
/// as far as both begin alike.
struct BandedEditDistance {
    enum Operation: UInt8 {
        case keep, replace
        /// A word of the goal is missing.
        case insert
        /// A word is superfluous.
        case remove
    }
    private struct Cell {
        var cost: Int
        var operation: Operation
    }

    private static let width = 25
    private static let infinity = 1 << 50
    private let goal: [Int]
    private var words: [Int] = []
    private var rows: [[Cell]]

    init(_ goal: [Int]) {
        self.goal = goal
        rows = [(0...goal.count).map { Cell(cost: $0, operation: .insert) }]
    }

    /// Returns the edit distance. O(words · band). All sequences measured by one value must have equal length.
    mutating func measure(_ words: [Int]) -> Int {
        var same = 0
        if words.count == self.words.count {
            while same < words.count, words[same] == self.words[same] { same += 1 }
        }
        rows.removeLast(rows.count - 1 - same)
        self.words = words
        let ratio = words.isEmpty ? 1 : Double(goal.count) / Double(words.count)
        let width = Double(Self.width) < ratio / 2 ? Int((ratio / 2 + Double(Self.width)).rounded(.up)) : Self.width
        for place in same..<words.count {
            let above = rows[place]
            var row = [Cell](repeating: Cell(cost: Self.infinity, operation: .replace), count: goal.count + 1)
            let diagonal = Int((Double(place + 1) * ratio).rounded(.down))
            let first = max(0, diagonal - width)
            let last = place + 1 == words.count ? goal.count + 1 : min(goal.count + 1, diagonal + width)
            var column = first
            while column < last {
                if column == 0 {
                    row[0] = Cell(cost: above[0].cost + 1, operation: .remove)
                } else {
                    // Order of equal costs: keep or replace, then remove, then insert, as in Tercom's reversed trace.
                    let isSame = words[place] == goal[column - 1]
                    var best = Cell(cost: Self.infinity, operation: .replace)
                    let diagonalCost = above[column - 1].cost + (isSame ? 0 : 1)
                    if diagonalCost < best.cost {
                        best = Cell(cost: diagonalCost, operation: isSame ? .keep : .replace)
                    }
                    if above[column].cost + 1 < best.cost {
                        best = Cell(cost: above[column].cost + 1, operation: .remove)
                    }
                    if row[column - 1].cost + 1 < best.cost {
                        best = Cell(cost: row[column - 1].cost + 1, operation: .insert)
                    }
                    row[column] = best
                }
                column += 1
            }
            rows.append(row)
        }
        return rows[words.count][goal.count].cost
    }

    /// Returns the operations that turn the last measured sequence into the goal, in order.
    func trace() -> [Operation] {
        var trace: [Operation] = []
        var row = words.count
        var column = goal.count
        while row > 0 || column > 0 {
            let operation = row == 0 ? .insert : column == 0 ? .remove : rows[row][column].operation
            trace.append(operation)
            if operation != .insert { row -= 1 }
            if operation != .remove { column -= 1 }
        }
        return trace.reversed()
    }
}
