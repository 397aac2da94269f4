internal import Console
internal import Retrieval

/// A passage's label in little room: `manuals/old/DM-7-rev-d.md #5` becomes `…/DM-7-rev-d.md #5`, then `DM-7-r….md #5`.
enum PassageLabel {
    /// Labels without their folders, as long as passages of different documents stay distinct.
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

    /// The label, or what tells most of it: the folders go first, then the middle; the number at the end stays.
    static func fitting(_ label: String, columns: Int, _ glyphs: Glyphs) -> String {
        // No screen is that wide: what is longer is cut before it is measured.
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
        return cut(rest, columns: columns, ellipsis)
    }

    /// Cuts the middle out. The end that stays is the last word, with some columns of what stands before it.
    private static func cut(_ text: Substring, columns: Int, _ ellipsis: String) -> String {
        let mark = DisplayWidth.of(ellipsis)
        guard columns > mark + 2 else { return String(text) }
        let last = text.lastIndex(of: " ").map { DisplayWidth.of(text[$0...]) } ?? 0
        let wanted = last > 0 && last <= columns / 2 ? min(last + 4, columns / 2 + 1) : columns / 2
        let tail = ending(text, columns: min(wanted, columns - mark - 1))
        let head = beginning(text, columns: columns - mark - DisplayWidth.of(tail))
        return head + ellipsis + tail
    }

    private static func beginning(_ text: Substring, columns: Int) -> String {
        var width = 0
        return String(
            text.prefix { character in
                width += DisplayWidth.of(character)
                return width <= columns
            })
    }

    private static func ending(_ text: Substring, columns: Int) -> String {
        var width = 0
        var characters: [Character] = []
        for character in text.reversed() {
            width += DisplayWidth.of(character)
            guard width <= columns else { break }
            characters.append(character)
        }
        return String(characters.reversed())
    }
}
