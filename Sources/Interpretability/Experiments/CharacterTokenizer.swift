internal import JSON

/// A tokenizer.json whose tokens are single characters: A to Z, a to z, 0 to 9, + and /.
struct CharacterTokenizer {
    private let characters: [Character]

    /// - Returns: `nil` if `count` exceeds the number of available characters.
    init?(count: Int) {
        let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        guard count > 0, count <= all.count else { return nil }
        characters = Array(all.prefix(count))
    }

    /// Byte pairs without any merge.
    var json: String {
        var json = JSONWriter(style: .pretty)
        json.beginObject()
        json.member("version", "1.0")
        json.key("added_tokens")
        json.beginArray()
        json.endArray()
        for part in ["pre_tokenizer", "decoder"] {
            json.key(part)
            json.beginObject()
            json.member("type", "ByteLevel")
            json.member("add_prefix_space", false)
            json.member("trim_offsets", false)
            json.member("use_regex", true)
            json.endObject()
        }
        json.key("model")
        json.beginObject()
        json.member("type", "BPE")
        json.key("vocab")
        json.beginObject()
        for (token, character) in characters.enumerated() { json.member(String(character), token) }
        json.endObject()
        json.key("merges")
        json.beginArray()
        json.endArray()
        json.endObject()
        json.endObject()
        json.endLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
