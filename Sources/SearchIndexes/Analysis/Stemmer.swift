internal import CStemmer

/// A stemmer by its name: one of the Snowball project's algorithms.
public struct Stemmer: Hashable, Sendable {
    public let name: String

    /// - Parameter name: Language in English, in lower case, or `porter`; the result is `nil` if there is no such
    ///   stemmer.
    public init?(_ name: String) {
        guard Self.names.contains(name) else { return nil }
        self.name = name
    }

    /// All of them, sorted.
    public static let names: [String] = {
        var names: [String] = []
        var next = sb_stemmer_list()
        while let list = next, let name = list.pointee {
            names.append(String(cString: name))
            next = list + 1
        }
        return names.sorted()
    }()
}

/// A stemmer for use by one thread.
///
/// English is our own ``EnglishStemmer``, because the library of many systems has an older definition of it.
final class WordStemmer {
    private let handle: OpaquePointer?
    private var english: EnglishStemmer?

    init(_ stemmer: Stemmer) {
        if stemmer.name == "english" {
            english = EnglishStemmer()
            handle = nil
        } else {
            handle = sb_stemmer_new(stemmer.name, "UTF_8")
        }
    }

    deinit { if let handle { sb_stemmer_delete(handle) } }

    /// Calls `body` with the stem of a lower-cased word; with the word itself if there is not enough memory.
    func stem<Result>(
        _ word: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if english != nil {
            english!.stem(word)
            return english!.word.withUnsafeBufferPointer(body)
        }
        guard let handle, let base = word.baseAddress, let stem = sb_stemmer_stem(handle, base, Int32(word.count))
        else {
            return body(word)
        }
        return body(UnsafeBufferPointer(start: stem, count: Int(sb_stemmer_length(handle))))
    }
}
