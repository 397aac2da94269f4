import Hashing

/// A 64-bit digest of a file's bytes, the same on every machine and in every release: workspaces keep it.
///
/// It tells honest files apart and is not for security. Each word is folded by a 128-bit multiplication, whose halves
/// are combined, as in wyhash (Wang Yi, 2019).
package struct FileDigest {
    private var state: UInt64 = SplitMix64.gamma
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    package init() {}

    /// Adds bytes: the pieces in which they come change nothing.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var rest = bytes
        if !pending.isEmpty {
            let missing = min(8 - pending.count, rest.count)
            pending += rest[..<missing]
            rest = UnsafeRawBufferPointer(rebasing: rest[missing...])
            guard pending.count == 8 else { return }
            fold(pending.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            pending.removeAll(keepingCapacity: true)
        }
        let words = rest.count / 8
        for word in 0..<words { fold(rest.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
        pending += rest[(words * 8)...]
    }

    /// The digest of what was added; never 0.
    package var value: UInt64 {
        var end = self
        var tail: UInt64 = 0
        for (place, byte) in pending.enumerated() { tail |= UInt64(byte) << UInt64(8 * place) }
        end.fold(tail.littleEndian)
        end.fold(length.littleEndian)
        return end.state == 0 ? 1 : end.state
    }

    private mutating func fold(_ word: UInt64) {
        let product = (state ^ 0xA076_1D64_78BD_642F)
            .multipliedFullWidth(by: UInt64(littleEndian: word) ^ 0xE703_7ED1_A0B4_28DB)
        // The state is added, so that no word can bring it to zero for good.
        state =
            (product.high ^ product.low) &+ state.multipliedReportingOverflow(by: SplitMix64.gamma).partialValue
    }
}
