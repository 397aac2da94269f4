/// A part of a document that has a name: what stands under a heading, a page, a function, a class.
public struct SourceSection: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case heading, page, function, type
    }

    public var title: String
    public var kind: Kind
    /// Nesting depth, starting at 1; for headings, the level of the heading.
    public var level: Int
    /// Bytes of the text, with the heading, and with the comments that lead a function.
    public var range: Range<Int>
    /// The section around it, by its place in the document's list; smaller than its own.
    public var parent: Int?

    public init(title: String, kind: Kind, level: Int, range: Range<Int>, parent: Int? = nil) {
        self.title = title
        self.kind = kind
        self.level = level
        self.range = range
        self.parent = parent
    }
}

extension SourceSection {
    /// Turns headings into sections: each extends to the next heading of its level or above, and is nested in the
    /// previous one that is above it. O(n).
    static func nested(_ headings: [(title: String, level: Int, start: Int)], end: Int) -> [SourceSection] {
        var sections: [SourceSection] = []
        sections.reserveCapacity(headings.count)
        var open: [Int] = []
        for heading in headings {
            while let last = open.last, sections[last].level >= heading.level {
                sections[last].range = sections[last].range.lowerBound..<heading.start
                open.removeLast()
            }
            sections.append(
                SourceSection(
                    title: heading.title, kind: .heading, level: heading.level, range: heading.start..<end,
                    parent: open.last))
            open.append(sections.count - 1)
        }
        return sections
    }
}
