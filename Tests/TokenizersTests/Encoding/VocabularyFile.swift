import Tokenizers

/// The tokenizer keys of a GGUF file, read as far as tests need it.
enum VocabularyFile {
    static func read(_ bytes: [UInt8]) -> VocabularyDescription? {
        var cursor = Cursor(bytes: bytes)
        guard cursor.take(4) == Array("GGUF".utf8)[...], cursor.integer(4) == 3 else { return nil }
        _ = cursor.integer(8)
        let pairs = cursor.integer(8)
        var description = VocabularyDescription(model: "")
        for _ in 0..<pairs {
            let key = cursor.string()
            let type = cursor.integer(4)
            read(key, type, &cursor, &description)
        }
        return cursor.index <= bytes.count ? description : nil
    }

    private static func read(
        _ key: String, _ type: Int, _ cursor: inout Cursor, _ description: inout VocabularyDescription
    ) {
        let name = key.hasPrefix("tokenizer.ggml.") ? String(key.dropFirst(15)) : key
        switch (name, type) {
        case ("model", 8): description.model = cursor.string()
        case ("pre", 8): description.pre = cursor.string()
        case ("tokenizer.chat_template", 8): description.chatTemplates["default"] = cursor.string()
        case ("tokens", 9): description.tokens = strings(&cursor)
        case ("merges", 9): description.merges = strings(&cursor)
        case ("scores", 9):
            description.scores = numbers(&cursor, 4).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
        case ("token_type", 9): description.types = numbers(&cursor, 4).map { Int32(truncatingIfNeeded: $0) }
        case ("bos_token_id", 4): description.special.bos = TokenID(cursor.integer(4))
        case ("eos_token_id", 4): description.special.eos = TokenID(cursor.integer(4))
        case ("unknown_token_id", 4): description.special.unknown = TokenID(cursor.integer(4))
        case ("seperator_token_id", 4): description.special.separator = TokenID(cursor.integer(4))
        case ("padding_token_id", 4): description.special.padding = TokenID(cursor.integer(4))
        case ("cls_token_id", 4): description.special.classification = TokenID(cursor.integer(4))
        case ("mask_token_id", 4): description.special.mask = TokenID(cursor.integer(4))
        case ("add_bos_token", 7): description.addsBOS = cursor.integer(1) != 0
        case ("add_eos_token", 7): description.addsEOS = cursor.integer(1) != 0
        default: cursor.skip(type)
        }
    }

    private static func strings(_ cursor: inout Cursor) -> ByteStrings {
        _ = cursor.integer(4)
        var strings = ByteStrings()
        for _ in 0..<cursor.integer(8) { strings.append(Array(cursor.take(cursor.integer(8)))) }
        return strings
    }

    private static func numbers(_ cursor: inout Cursor, _ width: Int) -> [Int] {
        _ = cursor.integer(4)
        return (0..<cursor.integer(8)).map { _ in cursor.integer(width) }
    }

    private struct Cursor {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func take(_ count: Int) -> ArraySlice<UInt8> {
            let end = min(index + max(count, 0), bytes.count)
            defer { index = end }
            return bytes[index..<end]
        }

        mutating func integer(_ width: Int) -> Int {
            take(width).reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func string() -> String { String(decoding: take(integer(8)), as: UTF8.self) }

        mutating func skip(_ type: Int) {
            let widths = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]
            if type == 8 {
                _ = string()
            } else if type == 9 {
                let element = integer(4)
                for _ in 0..<integer(8) { skip(element) }
            } else if widths.indices.contains(type) {
                _ = take(widths[type])
            }
        }
    }
}
