/// One search of a text.
struct ExpressionMachine {
    /// More steps than this are too many: about half a second.
    static let mostSteps = 20_000_000
    private static let mostKept = 4_000_000

    private let program: ExpressionProgram
    private let text: [Unicode.Scalar]
    private var saved: [Int]
    private var left = Self.mostSteps
    /// Ways that are left: a place of the program and the text, or (with a negative first) a slot and what it held.
    private var ways: [(Int, Int)] = []
    private(set) var isTooSlow = false

    init(_ program: ExpressionProgram, _ text: [Unicode.Scalar]) {
        self.program = program
        self.text = text
        saved = [Int](repeating: -1, count: program.slots)
    }

    /// Returns the next match from a position: the offsets of its groups, the whole match first, -1 for unused groups.
    ///
    /// - Parameter mustAdvance: whether a match at `start` has to take something.
    mutating func match(from start: Int, mustAdvance: Bool) -> [Int]? {
        var place = start
        while place <= text.count {
            for slot in saved.indices { saved[slot] = -1 }
            if let end = run(0, place, forbidden: mustAdvance && place == start ? place : nil) {
                saved[0] = place
                saved[1] = end
                return Array(saved[..<(2 * program.groups + 2)])
            }
            if isTooSlow { return nil }
            place += 1
        }
        return nil
    }

    /// - Returns: End of the match; `nil` if there is none, or the search takes too long.
    private mutating func run(_ start: Int, _ from: Int, forbidden: Int? = nil) -> Int? {
        let base = ways.count
        var (step, place) = (start, from)
        while true {
            left -= 1
            guard left > 0, ways.count < Self.mostKept else {
                isTooSlow = true
                ways.removeSubrange(base...)
                return nil
            }
            var holds = true
            switch program.steps[step] {
            case .scalar(let value):
                holds = place < text.count && text[place].value == value
                place += 1
                step += 1
            case .take(let set):
                holds = place < text.count && set.contains(text[place])
                place += 1
                step += 1
            case .split(let first, let second):
                ways.append((second, place))
                step = first
            case .jump(let target): step = target
            case .save(let slot):
                ways.append((-1 - slot, saved[slot]))
                saved[slot] = place
                step += 1
            case .leave(let slot, let target): step = saved[slot] == place ? target : step + 1
            case .position(let position):
                holds = isAt(position, place)
                step += 1
            case .reference(let number, let ignoresCase):
                holds = take(number, ignoresCase, &place)
                step += 1
            case .look(let isAhead, let isNegated, let width, let next):
                let kept = saved
                let found = place >= width ? run(step + 1, isAhead ? place : place - width) != nil : false
                if isTooSlow {
                    ways.removeSubrange(base...)
                    return nil
                }
                if !found || isNegated { saved = kept } else { remember(kept) }
                holds = found != isNegated
                step = next
            case .atomic(let next):
                let kept = saved
                let end = run(step + 1, place)
                if isTooSlow {
                    ways.removeSubrange(base...)
                    return nil
                }
                if let end { place = end }
                if end == nil { saved = kept } else { remember(kept) }
                holds = end != nil
                step = next
            case .accept:
                if forbidden != place {
                    ways.removeSubrange(base...)
                    return place
                }
                holds = false
            }
            guard !holds else { continue }
            guard let way = back(to: base) else { return nil }
            (step, place) = way
        }
    }

    /// Slots that changed in a part of its own go back with all the rest.
    private mutating func remember(_ kept: [Int]) {
        for slot in kept.indices where kept[slot] != saved[slot] { ways.append((-1 - slot, kept[slot])) }
    }

    private mutating func back(to base: Int) -> (Int, Int)? {
        while ways.count > base {
            let way = ways.removeLast()
            if way.0 >= 0 { return way }
            saved[-1 - way.0] = way.1
        }
        return nil
    }

    private mutating func take(_ number: Int, _ ignoresCase: Bool, _ place: inout Int) -> Bool {
        let (first, last) = (saved[2 * number], saved[2 * number + 1])
        guard first >= 0, last >= first, place + (last - first) <= text.count else { return false }
        left -= last - first
        for offset in 0..<(last - first) {
            let (one, other) = (text[first + offset], text[place + offset])
            let isSame =
                one == other
                || ignoresCase && (ExpressionSet.lower(one) ?? one) == (ExpressionSet.lower(other) ?? other)
            if !isSame { return false }
        }
        place += last - first
        return true
    }

    private func isAt(_ position: ExpressionPosition, _ place: Int) -> Bool {
        func isWord(_ place: Int) -> Bool { text.indices.contains(place) && ExpressionSet.isWord(text[place]) }
        switch position {
        case .start: return place == 0
        case .lineStart: return place == 0 || text[place - 1] == "\n"
        case .end: return place == text.count
        case .lastLineEnd: return place == text.count || place == text.count - 1 && text[place] == "\n"
        case .lineEnd: return place == text.count || text[place] == "\n"
        case .boundary: return isWord(place - 1) != isWord(place)
        case .noBoundary: return isWord(place - 1) == isWord(place)
        }
    }
}
