internal import Kernels
internal import Synchronization
internal import System
internal import Tensors
internal import Tokenizers

/// Texts as tokens, cut once and kept: a safetensors file that is mapped the next time.
///
/// Its name and its metadata hold the digest of the texts' file, of the vocabulary and of the separator: a file that
/// was made of others, or has changed since, is passed over and made again. Tensors: `tokens` int32, `learned` int8, `documents` int32, where
/// each begins.
struct TokenCache {
    let folder: String
    let vocabulary: VocabularySource

    /// The tokens of a file's documents, each followed by the separator.
    func tokens(of path: String, _ documents: [TrainingDocument], source: UInt64) throws(Problem) -> TokenStore {
        var key = Digest()
        key.update("tokens 2")
        key.update(source)
        key.update(vocabulary.digest)
        key.update(UInt64(bitPattern: Int64(vocabulary.separator)))
        let file = "\(folder)/tokens-\(key.text).safetensors"
        if let kept = Self.read(file, key: key.text, name: path) { return kept }
        let (tokens, learned, starts) = encode(documents)
        guard !tokens.isEmpty else { throw Problem(.missing, path, "the file has no text") }
        do {
            try TensorFile.write(
                [
                    ("tokens", AnyTensor(try Tensor(tokens))), ("learned", AnyTensor(try Tensor(learned))),
                    ("documents", AnyTensor(try Tensor(starts))),
                ],
                metadata: [
                    "orrery": "tokens", "key": key.text, "digest": Self.digest(tokens, learned, starts),
                ], to: file)
        } catch {
            throw Problem(error, reading: path)
        }
        guard let store = Self.read(file, key: key.text, name: path) else {
            throw Problem(.invalid, file, "the cache cannot be read back", remedy: "Is another program writing to it?")
        }
        return store
    }

    private static func read(_ path: String, key: String, name: String) -> TokenStore? {
        guard let file = try? TensorFile.open(path), file.metadata["key"] == key,
            let tokens = try? file.tensor(named: "tokens", as: Int32.self),
            let learned = try? file.tensor(named: "learned", as: Int8.self),
            let documents = try? file.tensor(named: "documents", as: Int32.self),
            tokens.count == learned.count, tokens.count > 0,
            file.metadata["digest"] == digest(tokens, learned, documents)
        else { return nil }
        return TokenStore(name: name, tokens: tokens, learned: learned, documents: documents.elements.map { Int($0) })
    }

    /// Of all that is kept: what was damaged since is not believed.
    private static func digest(_ tokens: Tensor<Int32>, _ learned: Tensor<Int8>, _ documents: Tensor<Int32>) -> String {
        var digest = Digest()
        digest.update(UnsafeRawBufferPointer(start: tokens.base, count: 4 * tokens.count))
        digest.update(UnsafeRawBufferPointer(start: learned.base, count: learned.count))
        digest.update(UnsafeRawBufferPointer(start: documents.base, count: 4 * documents.count))
        withExtendedLifetime((tokens, learned, documents)) {}
        return digest.text
    }

    private static func digest(_ tokens: [Int32], _ learned: [Int8], _ documents: [Int32]) -> String {
        var digest = Digest()
        tokens.withUnsafeBytes { digest.update($0) }
        learned.withUnsafeBytes { digest.update($0) }
        documents.withUnsafeBytes { digest.update($0) }
        return digest.text
    }

    private struct Encoded {
        var tokens: [Int32] = []
        var learned: [Int8] = []
        var lengths: [Int] = []
    }

    /// Groups of documents are cut by several threads and put together in their order.
    private func encode(_ documents: [TrainingDocument]) -> ([Int32], [Int8], [Int32]) {
        let group = 64
        let groups = (documents.count + group - 1) / group
        let results = Mutex([Encoded?](repeating: nil, count: groups))
        ThreadPool.shared.run(chunks: groups) { chunk, _ in
            var encoded = Encoded()
            for document in documents[chunk * group..<min(documents.count, (chunk + 1) * group)] {
                let before = encoded.tokens.count
                for part in document.parts {
                    let ids = vocabulary.tokenizer.encode(part.text, addingSpecialTokens: false)
                    encoded.tokens += ids
                    encoded.learned += [Int8](repeating: part.isLearned ? 1 : 0, count: ids.count)
                }
                encoded.tokens.append(vocabulary.separator)
                encoded.learned.append(document.parts.last?.isLearned ?? true ? 1 : 0)
                encoded.lengths.append(encoded.tokens.count - before)
            }
            results.withLock { $0[chunk] = encoded }
        }
        var (tokens, learned, starts): ([Int32], [Int8], [Int32]) = ([], [], [])
        var start = 0
        for encoded in results.withLock({ $0 }) {
            guard let encoded else { continue }
            tokens += encoded.tokens
            learned += encoded.learned
            for length in encoded.lengths {
                starts.append(Int32(clamping: start))
                start += length
            }
        }
        return (tokens, learned, starts)
    }
}
