internal import Glibc
internal import System
internal import Tensors

/// A long row of tokens, with what each counts as a target, mapped from files.
final class TokenStore {
    private enum Words {
        case narrow(MappedFile)
        case wide(Tensor<Int32>)
        /// One after the other, and where each begins.
        case joined([TokenStore], starts: [Int])
    }

    /// Where they come from, for sentences.
    let name: String
    let count: Int
    /// Where each document begins, ascending; empty if unknown.
    private(set) var documents: [Int]
    private let words: Words
    private let hundredths: MappedFile?
    private let learned: Tensor<Int8>?

    /// Tokens of a text that was cut and cached.
    init(name: String, tokens: Tensor<Int32>, learned: Tensor<Int8>?, documents: [Int]) {
        self.name = name
        count = tokens.count
        words = .wide(tokens)
        self.learned = learned
        self.documents = documents
        hundredths = nil
    }

    /// Tokens of 16 bits without a header, and a byte for each that says what it counts in hundredths.
    init(narrow path: String, weights: String?) throws(Problem) {
        do {
            let file = try MappedFile(path)
            let hundredths: MappedFile?
            if let weights { hundredths = try MappedFile(weights) } else { hundredths = nil }
            guard file.count % 2 == 0 else {
                throw Problem(.invalid, path, "\(file.count) bytes are not a whole number of 16-bit tokens")
            }
            name = path
            count = file.count / 2
            words = .narrow(file)
            self.hundredths = hundredths
            if let hundredths, hundredths.count != count {
                throw Problem(
                    .invalid, hundredths.path, "\(hundredths.count) weights for \(count) tokens of \(path)",
                    remedy: "Each token needs one weight.")
            }
        } catch let error as TensorFileError {
            throw Problem(.failed, "", error.sentence)
        } catch { throw Problem(error, in: "") }
        learned = nil
        documents = []
    }

    /// Several as one long row.
    init(joining stores: [TokenStore]) {
        name = (stores.first?.name ?? "") + (stores.count > 1 ? " and \(stores.count - 1) more" : "")
        var starts: [Int] = []
        var total = 0
        for store in stores {
            starts.append(total)
            total += store.count
        }
        count = total
        words = .joined(stores, starts: starts)
        documents = zip(stores, starts).flatMap { store, start in store.documents.map { $0 + start } }
        learned = nil
        hundredths = nil
    }

    /// Finds out where documents begin: after each of the tokens that end one.
    func findDocuments(endingWith separator: Int32) {
        documents = [0]
        var chunk = [Int32](repeating: 0, count: 65_536)
        var start = 0
        while start < count {
            let end = min(count, start + chunk.count)
            chunk.withUnsafeMutableBufferPointer { copy(start..<end, to: $0.baseAddress!) }
            for place in 0..<end - start where chunk[place] == separator && start + place + 1 < count {
                documents.append(start + place + 1)
            }
            start = end
        }
    }

    /// Whether any token counts as a target.
    var isLearned: Bool {
        if case .joined(let stores, _) = words { return stores.contains(where: \.isLearned) }
        if let hundredths {
            return withExtendedLifetime(hundredths) { hundredths.bytes.contains { $0 != 0 } }
        }
        if let learned {
            return withExtendedLifetime(learned) { (0..<count).contains { learned.base[$0] != 0 } }
        }
        return true
    }

    /// Calls `body` with the part of each of several stores that is in a range, and with its place in the range.
    private static func parts(
        of range: Range<Int>, _ stores: [TokenStore], _ starts: [Int], _ body: (TokenStore, Range<Int>, Int) -> Void
    ) {
        for (store, start) in zip(stores, starts) {
            let own = range.clamped(to: start..<start + store.count)
            if !own.isEmpty {
                body(store, own.lowerBound - start..<own.upperBound - start, own.lowerBound - range.lowerBound)
            }
        }
    }

    /// Copies tokens.
    func copy(_ range: Range<Int>, to target: UnsafeMutablePointer<Int32>) {
        switch words {
        case .joined(let stores, let starts):
            Self.parts(of: range, stores, starts) { store, own, place in store.copy(own, to: target + place) }
        case .narrow(let file):
            for (place, index) in range.enumerated() {
                target[place] = Int32(
                    UInt16(littleEndian: file.bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)))
            }
        case .wide(let tensor):
            target.update(from: tensor.base + range.lowerBound, count: range.count)
            withExtendedLifetime(tensor) {}
        }
    }

    /// Copies what tokens count as targets.
    func copyWeights(_ range: Range<Int>, to target: UnsafeMutablePointer<Float>) {
        if case .joined(let stores, let starts) = words {
            Self.parts(of: range, stores, starts) { store, own, place in store.copyWeights(own, to: target + place) }
        } else if let hundredths {
            for (place, index) in range.enumerated() { target[place] = Float(hundredths.bytes[index]) / 100 }
        } else if let learned {
            let base = learned.base
            for (place, index) in range.enumerated() { target[place] = base[index] == 0 ? 0 : 1 }
            withExtendedLifetime(learned) {}
        } else {
            for place in 0..<range.count { target[place] = 1 }
        }
    }

    /// The largest id; -1 if there are none.
    var largest: Int {
        var largest: Int32 = -1
        var chunk = [Int32](repeating: 0, count: 65_536)
        var start = 0
        while start < count {
            let end = min(count, start + chunk.count)
            chunk.withUnsafeMutableBufferPointer { copy(start..<end, to: $0.baseAddress!) }
            for word in chunk[..<(end - start)] { largest = max(largest, word) }
            start = end
        }
        return Int(largest)
    }

    /// Whether an id is below 0, which no tensor file promises against.
    var smallest: Int {
        if case .joined(let stores, _) = words { return stores.map(\.smallest).min() ?? 0 }
        guard case .wide(let tensor) = words else { return 0 }
        return Int((0..<count).reduce(Int32.max) { min($0, tensor.base[$1]) })
    }

    /// Of tokens and weights.
    var digest: UInt64 {
        var digest = Digest()
        digest.update(UInt64(count))
        switch words {
        case .joined(let stores, _): for store in stores { digest.update(store.digest) }
        case .narrow(let file): digest.update(file.bytes)
        case .wide(let tensor):
            digest.update(UnsafeRawBufferPointer(start: tensor.base, count: 4 * tensor.count))
            withExtendedLifetime(tensor) {}
        }
        if let hundredths { digest.update(hundredths.bytes) }
        if let learned {
            digest.update(UnsafeRawBufferPointer(start: learned.base, count: learned.count))
            withExtendedLifetime(learned) {}
        }
        return digest.value
    }
}
