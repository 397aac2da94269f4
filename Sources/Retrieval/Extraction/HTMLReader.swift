/// A web page: its visible text, its headings, and what its head says of it.
enum HTMLReader: SourceReader {
    static let kind = SourceKind.html
    static let summary = "HTML: visible text and headings; scripts and styles are dropped"
    static let suffixes = [".html", ".htm", ".xhtml"]

    static func recognizes(_ head: SourceHead) -> Bool {
        guard head.suffix.isEmpty || head.suffix == ".txt" || suffixes.contains(head.suffix) else { return false }
        let start = head.start
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        try DecodedFile.read(file, options, into: sink) { decoded, document in
            var text = decoded.text
            let page = text.withUTF8 { bytes in
                var page = HTMLPage(bytes)
                page.run()
                return page
            }
            document.text = String(decoding: page.output, as: UTF8.self)
            document.offsets = page.builder.map(base: 0).leading(into: decoded.offsets, count: page.output.count)
            document.sections = SourceSection.nested(page.headings, end: page.output.count)
            document.metadata = page.metadata
            if let title = page.title ?? page.headings.first?.title, !title.isEmpty { document.title = title }
            if let problem = page.problem { sink.note(problem) }
        }
    }
}

/// Goes through a page's bytes once and writes its text.
///
/// The reader builds no tree and needs no closing tags: a tag only affects the lines of the text. White
/// space becomes one space; blocks get their own lines, and table cells are separated by tabs. O(n).
struct HTMLPage {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private(set) var output: [UInt8] = []
    private(set) var builder = OffsetMap.Builder()
    private(set) var headings: [(title: String, level: Int, start: Int)] = []
    private(set) var metadata: [String: MetadataValue] = [:]
    private(set) var title: String?
    /// Note about an unclosed element.
    private(set) var problem: String?

    /// Line breaks and the space to write before the next character.
    private var breaks = 0
    private var space: Range<Int>?
    private var isBehindCell = false
    private var preDepth = 0
    private var heading: (level: Int, start: Int?)?
    /// Last position of each quote, so that later searches can be skipped.
    private var lastQuotes: [UInt8: Int] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count / 2)
    }

    mutating func run() {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"): markup()
            case UInt8(ascii: "&"): reference()
            default: plain()
            }
        }
        endHeading()
    }

    // MARK: Text

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 9 && byte <= 13) }

    /// Copies text up to the next mark or up to white space that is not one plain space.
    private mutating func plain() {
        let start = place
        if preDepth == 0, Self.isSpace(bytes[place]) {
            while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
            if space == nil { space = start..<place }
            return
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { break }
            if preDepth == 0, byte <= 0x20, Self.isSpace(byte) {
                let next = place + 1
                guard byte == 0x20, next < bytes.count, bytes[next] > 0x20, bytes[next] != UInt8(ascii: "<"),
                    bytes[next] != UInt8(ascii: "&")
                else { break }
            }
            place += 1
        }
        guard place > start else { return }
        prepare(at: start)
        builder.add(text: output.count, source: start)
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<place]))
    }

    /// Writes the breaks or the space that stand before a character.
    private mutating func prepare(at source: Int) {
        if !output.isEmpty {
            if breaks > 0 {
                builder.add(text: output.count, source: source, sourceStep: 0)
                for _ in 0..<breaks { output.append(0x0A) }
            } else if isBehindCell {
                builder.add(text: output.count, source: source, sourceStep: 0)
                output.append(0x09)
            } else if let space, preDepth == 0 || output.last != 0x0A {
                builder.add(text: output.count, source: space.lowerBound, sourceStep: space.count)
                output.append(0x20)
            }
        }
        (breaks, space, isBehindCell) = (0, nil, false)
        if heading != nil, heading?.start == nil { heading?.start = output.count }
    }

    private mutating func reference() {
        guard let (text, length) = HTMLReference.read(bytes, at: place) else {
            prepare(at: place)
            builder.add(text: output.count, source: place)
            output.append(bytes[place])
            place += 1
            return
        }
        if preDepth == 0, text == "\u{A0}" || text == " " || text == "\n" || text == "\t" {
            if space == nil { space = place..<place + length }
        } else {
            prepare(at: place)
            builder.add(text: output.count, source: place, textStep: text.utf8.count, sourceStep: length)
            output.append(contentsOf: text.utf8)
        }
        place += length
    }

    // MARK: Tags

    private mutating func markup() {
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0
        switch next {
        case UInt8(ascii: "!"):
            if place + 3 < bytes.count, bytes[place + 2] == UInt8(ascii: "-"), bytes[place + 3] == UInt8(ascii: "-") {
                skipComment()
            } else {
                place = HTMLTag.end(bytes, from: place + 2)
            }
        case UInt8(ascii: "?"): place = HTMLTag.end(bytes, from: place + 2)
        case UInt8(ascii: "/"):
            let tag = HTMLTag.name(bytes, from: place + 2)
            place = HTMLTag.end(bytes, from: tag.end)
            apply(tag.name, isClosing: true)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): open()
        default:
            prepare(at: place)
            builder.add(text: output.count, source: place)
            output.append(bytes[place])
            place += 1
        }
    }

    private mutating func skipComment() {
        var end = place + 4
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: ">"), bytes[end - 1] == UInt8(ascii: "-"), bytes[end - 2] == UInt8(ascii: "-")
            {
                place = end + 1
                return
            }
            end += 1
        }
        problem = problem ?? "An unclosed comment at byte \(place) contains the rest of the page."
        place = bytes.count
    }

    private mutating func open() {
        let start = place
        let tag = HTMLTag.name(bytes, from: place + 1)
        let wants = tag.name == "meta" || tag.name == "html"
        var attributes: [String: String] = [:]
        place = HTMLTag.attributes(bytes, from: tag.end, lastQuotes: &lastQuotes) { name, value in
            if wants, attributes.count < 32 { attributes[name.lowercased()] = value }
        }
        switch tag.name {
        case "script", "style", "template", "svg", "iframe", "noembed", "noframes", "canvas", "object":
            // `<svg/>` has no content.
            if place >= 2, place <= bytes.count, bytes[place - 2] == UInt8(ascii: "/") { return }
            let inside = place
            place = HTMLTag.closing(bytes, of: tag.name, from: place)
            if place == bytes.count, inside < bytes.count, problem == nil, !Self.endsWithTag(bytes) {
                problem = "An unclosed \(tag.name) element at byte \(start) contains the rest of the page."
            }
        case "title" where title == nil:
            let inside = place
            place = HTMLTag.closing(bytes, of: "title", from: place, content: 1 << 14)
            let end = HTMLTag.contentEnd(bytes, inside..<place)
            title = HTMLReference.resolved(UnsafeBufferPointer(rebasing: bytes[inside..<end]))
        case "meta": note(attributes)
        case "html": if let language = attributes["lang"], !language.isEmpty { metadata["language"] = .text(language) }
        default: apply(tag.name, isClosing: false)
        }
    }

    private static func endsWithTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.last { !isSpace($0) } == UInt8(ascii: ">")
    }

    /// Applies the effect of a tag on the lines of the text.
    private mutating func apply(_ name: String, isClosing: Bool) {
        switch name {
        case "br": breaks = min(2, breaks + 1)
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endHeading()
            breaks = 2
            if !isClosing { heading = (Int(name.utf8.last ?? 0x31) - 0x30, nil) }
        case "pre", "textarea":
            breaks = max(breaks, 2)
            preDepth = isClosing ? max(0, preDepth - 1) : min(preDepth + 1, 1 << 20)
            if !isClosing {
                space = nil
                // The first line feed after the tag is not part of the text.
                if place < bytes.count, bytes[place] == 0x0D { place += 1 }
                if place < bytes.count, bytes[place] == 0x0A { place += 1 }
            }
        case "p", "ul", "ol", "dl", "table", "blockquote", "figure", "hr", "section", "article": breaks = 2
        case "div", "li", "tr", "dt", "dd", "main", "header", "footer", "nav", "aside", "form", "fieldset", "legend",
            "address", "details", "summary", "caption", "figcaption", "option", "thead", "tbody", "tfoot", "body",
            "head", "title":
            breaks = max(breaks, 1)
        case "td", "th": if !isClosing, !output.isEmpty, output.last != 0x0A { isBehindCell = true }
        default: break
        }
        if breaks > 0 { isBehindCell = false }
    }

    private mutating func endHeading() {
        if let heading, let start = heading.start, headings.count < 1 << 20 {
            let title = String(decoding: output[start...].prefix(1 << 10), as: UTF8.self)
            let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            headings.append((words, heading.level, start))
        }
        heading = nil
    }

    private mutating func note(_ attributes: [String: String]) {
        guard let name = (attributes["name"] ?? attributes["property"])?.lowercased(),
            let content = attributes["content"], !content.isEmpty, metadata.count < 64
        else { return }
        switch name {
        case "keywords":
            let words = content.split(separator: ",").map {
                $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            metadata["keywords"] = .texts(words.filter { !$0.isEmpty })
        case "description", "author", "date", "generator": metadata[name] = MetadataValue(parsing: content)
        case "og:description": metadata["description"] = metadata["description"] ?? .text(content)
        case "article:published_time": metadata["date"] = MetadataValue(parsing: content)
        case "article:modified_time": metadata["modified"] = MetadataValue(parsing: content)
        default: break
        }
    }
}
