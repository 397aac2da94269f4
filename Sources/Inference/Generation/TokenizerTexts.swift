public import Tokenizers

extension StreamDecoder: TokenTextStream {}

extension Tokenizer: TokenTexts {
    public func text(of id: TokenID) -> String {
        let bytes = bytes(of: id)
        return bytes.isEmpty ? piece(id) : String(decoding: bytes, as: UTF8.self)
    }

    public func stream() -> any TokenTextStream { StreamDecoder(self) }
}
