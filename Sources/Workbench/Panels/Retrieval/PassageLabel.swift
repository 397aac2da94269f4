internal import Console
internal import Retrieval

/// Shortened labels of passages: `manuals/old/DM-7-rev-d.md #5` becomes `…/DM-7-rev-d.md #5`, then `DM-7-r….md #5`.
enum PassageLabel {
    /// Returns labels without folders, unless different documents would get the same label.
    static func short(_ passages: [Passage]) -> [String] {
        var holders: [Substring: Set<String>] = [:]
        for passage in passages { holders[name(of: passage.document), default: []].insert(passage.document) }
        return passages.map { passage in
            let name = name(of: passage.document)
            guard holders[name]?.count == 1, passage.label.hasPrefix(passage.document), !name.isEmpty else {
                return passage.label
            }
            return String(name) + passage.label.dropFirst(passage.document.count)
        }
    }

    private static func name(of document: String) -> Substring {
        document.lastIndex(of: "/").map { document[document.index(after: $0)...] } ?? document[...]
    }

    /// Returns a label that fits into columns: without folders first, and then without its middle. The number at the end
    /// stays.
    static func fitting(_ label: String, columns: Int, _ glyphs: Glyphs) -> String {
        // No screen is that wide, so a longer label is cut before it is measured.
        let label = label.utf8.count > 4096 ? String(label.prefix(512)) + label.suffix(512) : label
        guard DisplayWidth.of(label) > columns, columns > 0 else { return label }
        let ellipsis = String(Character(glyphs.ellipsis))
        var rest = label[...]
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            let short = "\(ellipsis)/\(rest)"
            if !rest.isEmpty, DisplayWidth.of(short) <= columns { return short }
        }
        if rest.isEmpty { rest = label[...] }
        if DisplayWidth.of(rest) <= columns { return String(rest) }
        return withoutMiddle(rest, columns: columns, ellipsis)
    }

    /// Cuts the middle of a text. The last word stays, with some columns before it.
    private static func withoutMiddle(_ text: Substring, columns: Int, _ ellipsis: String) -> String {
        let mark = DisplayWidth.of(ellipsis)
        guard columns > mark + 2 else { return String(text) }
        let last = text.lastIndex(of: " ").map { DisplayWidth.of(text[$0...]) } ?? 0
        let wanted = last > 0 && last <= columns / 2 ? min(last + 4, columns / 2 + 1) : columns / 2
        let tail = String(beginning(text.reversed(), columns: min(wanted, columns - mark - 1)).reversed())
        return beginning(text, columns: columns - mark - DisplayWidth.of(tail)) + ellipsis + tail
    }

    /// Returns the first characters that fit into columns.
    private static func beginning(_ text: some Sequence<Character>, columns: Int) -> String {
        var width = 0
        return String(
            text.prefix { character in
                width += DisplayWidth.of(character)
                return width <= columns
            })
    }
}
