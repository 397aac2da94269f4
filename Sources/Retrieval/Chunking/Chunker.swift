/// A piece of a document that is searched for itself.
public struct ChunkSpan: Equatable, Sendable {
    /// Bytes of the text's UTF-8; both ends are borders of Characters.
    public var range: Range<Int>
    /// The larger span that it was cut from, by its place in the same list.
    public var parent: Int?
    /// Only context for its children: it is shown, but neither indexed nor embedded itself.
    public var isParent: Bool
    /// The titles of the sections around its beginning, outermost first.
    public var headings: [String]

    public init(range: Range<Int>, parent: Int? = nil, isParent: Bool = false, headings: [String] = []) {
        self.range = range
        self.parent = parent
        self.isParent = isParent
        self.headings = headings
    }
}

/// Cuts a text into chunks.
///
/// Every chunker keeps these promises: chunks are in order, none is empty, each is the bytes of its range, ends lie
/// between Characters, and what no chunk holds is white space. O(n) with the text, whatever is in it.
public protocol Chunker: Sendable {
    /// - Parameters:
    ///   - sections: Of the text, as extraction found them; by start.
    ///   - kind: What the text was read as.
    /// - Throws: What an embedder throws.
    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan]
}

extension Chunker {
    public func chunks(of document: SourceDocument) throws -> [ChunkSpan] {
        try chunks(of: document.text, sections: document.sections, kind: document.kind)
    }

    public func chunks(of text: String, sections: [SourceSection] = []) throws -> [ChunkSpan] {
        try chunks(of: text, sections: sections, kind: .text)
    }
}

/// Returns the number of tokens of a text for the model that will read it.
public typealias TokenCounter = @Sendable (String) -> Int

/// One vector a text, all of one length.
public typealias SentenceEmbedder = @Sendable ([String]) throws -> [[Float]]

/// The titles around places of a text.
struct HeadingPaths {
    private let sections: [SourceSection]
    private var paths: [Int: [String]] = [:]

    init(_ sections: [SourceSection]) { self.sections = sections }

    /// Returns the titles of the sections around a place. O(log sections + depth).
    mutating func path(at place: Int) -> [String] {
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].range.lowerBound <= place { low = middle + 1 } else { high = middle }
        }
        var index = low - 1
        while index >= 0, !sections[index].range.contains(place) {
            guard let parent = sections[index].parent, parent < index else { return [] }
            index = parent
        }
        guard index >= 0 else { return [] }
        if let known = paths[index] { return known }
        var titles = [sections[index].title]
        var inner = index
        while let parent = sections[inner].parent, parent < inner, parent >= 0, titles.count < 64 {
            titles.append(sections[parent].title)
            inner = parent
        }
        titles.reverse()
        paths[index] = titles
        return titles
    }
}
