internal import Glibc
internal import Hashing
internal import System

/// An array between two pages that fault when they are touched; what is left of its own pages holds a pattern.
final class GuardedArray {
    let name: String
    let type: OwnKernel.ElementType
    let count: Int
    let pointer: UnsafeMutableRawPointer
    private let mapping: UnsafeMutableRawPointer
    private let mapped: Int
    /// The bytes between the first page and the array, and between the array and the last page.
    private let slack: [UnsafeMutableRawBufferPointer]

    init(type: OwnKernel.ElementType, count: Int, name: String) throws(Problem) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        // Aligned to 64 bytes, so that a loop over vectors may start at its head; most of what is left over is before.
        let bytes = (count * type.byteCount + 63) / 64 * 64
        let pages = (bytes + page - 1) / page * page
        guard let memory = mmap(nil, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED, mprotect(memory + page, pages, PROT_READ | PROT_WRITE) == 0
        else { throw Problem(.missing, name, "no memory for \(count) elements") }
        madvise(memory + page, pages, MADV_HUGEPAGE)
        mapping = memory
        mapped = pages + 2 * page
        let start = memory + page + (pages - bytes)
        pointer = start
        let end = start + count * type.byteCount
        slack = [
            UnsafeMutableRawBufferPointer(start: memory + page, count: pages - bytes),
            UnsafeMutableRawBufferPointer(start: end, count: bytes - count * type.byteCount),
        ]
        self.name = name
        self.type = type
        self.count = count
        for part in slack { part.initializeMemory(as: UInt8.self, repeating: Self.pattern) }
    }

    private static let pattern: UInt8 = 0xA5

    /// Side of the array that was overwritten, `before the start of` or `past the end of`; `nil` if the guards are intact.
    var trespass: String? {
        zip(["before the start of", "past the end of"], slack).first { $1.contains { $0 != Self.pattern } }?.0
    }

    /// Tells contents apart: FNV-1a over the bytes.
    var digest: UInt64 {
        FNV1a.hash(UnsafeRawBufferPointer(start: pointer, count: byteCount))
    }

    deinit { munmap(mapping, mapped) }

    var byteCount: Int { count * type.byteCount }

    /// Values in [-0.5, 0.5) for floating types, small whole numbers for the others, from a splitmix64 sequence.
    func fill(_ state: inout UInt64) {
        for index in 0..<count {
            state &+= SplitMix64.gamma
            let word = SplitMix64.mix(state)
            let unit = Double(word >> 11) * 0x1p-53
            store(type == .f32 || type == .f64 ? unit - 0.5 : (unit * 100).rounded(.down), at: index)
        }
    }

    /// NaN, or a pattern that no result has.
    func poison() { memset(pointer, type == .f32 || type == .f64 ? 0xFF : 0x5A, byteCount) }

    func set(_ values: [Double]) {
        for (index, value) in values.enumerated() { store(value, at: index) }
    }

    var values: [Double] { (0..<count).map(load) }

    private func store(_ value: Double, at index: Int) {
        switch type {
        case .f32: pointer.storeBytes(of: Float(value), toByteOffset: index * 4, as: Float.self)
        case .f64: pointer.storeBytes(of: value, toByteOffset: index * 8, as: Double.self)
        case .i8: pointer.storeBytes(of: Int8(value), toByteOffset: index, as: Int8.self)
        case .u8: pointer.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
        case .i32: pointer.storeBytes(of: Int32(value), toByteOffset: index * 4, as: Int32.self)
        case .i64: pointer.storeBytes(of: Int64(value), toByteOffset: index * 8, as: Int64.self)
        }
    }

    private func load(_ index: Int) -> Double {
        switch type {
        case .f32: Double(pointer.load(fromByteOffset: index * 4, as: Float.self))
        case .f64: pointer.load(fromByteOffset: index * 8, as: Double.self)
        case .i8: Double(pointer.load(fromByteOffset: index, as: Int8.self))
        case .u8: Double(pointer.load(fromByteOffset: index, as: UInt8.self))
        case .i32: Double(pointer.load(fromByteOffset: index * 4, as: Int32.self))
        case .i64: Double(pointer.load(fromByteOffset: index * 8, as: Int64.self))
        }
    }
}
