internal import Glibc
internal import Kernels

/// The arrays of a person's kernel: seeded inputs, an output to compare, and a page after each that nobody may touch.
final class OwnKernelProblem: KernelProblem {
    private let kernel: OwnKernel
    private let arrays: [GuardedArray]
    private let expected: [[Double]]
    private let sizes: [Int]
    private let initial: [[Double]]

    typealias Call =
        @Sendable @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafePointer<Int>) -> Void

    /// - Parameter reference: runs once, on the same inputs; its outputs are what is right.
    init(_ kernel: OwnKernel, reference: Call?, seed: UInt64) throws {
        self.kernel = kernel
        sizes = kernel.arguments.filter { $0.role == .size }.map { kernel.sizeTable[$0.name] ?? 0 }
        var arrays: [GuardedArray] = []
        var state = seed
        for argument in kernel.arguments where argument.role != .size {
            let count = argument.count.value(kernel.sizeTable)
            guard count >= 1, count * Double(argument.type.byteCount) < Double(MemoryLimit.available) / 2 else {
                throw OwnKernelError(
                    kernel.path,
                    "argument \(argument.name) has \(count) elements: more than 0 and less than half of the free memory is possible"
                )
            }
            let array = try GuardedArray(type: argument.type, count: Int(count), name: argument.name)
            array.fill(&state)
            arrays.append(array)
        }
        self.arrays = arrays
        initial = zip(arrays, Self.roles(kernel)).map { $1 == .both ? $0.values : [] }
        if let reference {
            for (array, role) in zip(arrays, Self.roles(kernel)) where role == .output { array.poison() }
            Self.run(reference, arrays, sizes)
            expected = zip(arrays, Self.roles(kernel)).map { $1.isWritten ? $0.values : [] }
        } else {
            expected = []
        }
        restore()
    }

    private static func roles(_ kernel: OwnKernel) -> [OwnKernel.Role] {
        kernel.arguments.filter { $0.role != .size }.map(\.role)
    }

    var workingSet: Int { arrays.reduce(0) { $0 + $1.byteCount } }

    func run(_ call: Call) { Self.run(call, arrays, sizes) }

    private static func run(_ call: Call, _ arrays: [GuardedArray], _ sizes: [Int]) {
        var pointers: [UnsafeMutableRawPointer?] = arrays.map(\.pointer)
        call(&pointers, sizes)
    }

    /// Arguments that are read and written begin anew: they would drift to infinity otherwise.
    func restore() {
        for (array, values) in zip(arrays, initial) where !values.isEmpty { array.set(values) }
    }

    func poisonOutput() {
        for (array, role) in zip(arrays, Self.roles(kernel)) where role == .output { array.poison() }
        restore()
    }

    func agreement() -> KernelAgreement {
        var worst = 0.0
        var place = "everything agrees"
        var compared = 0
        for (index, values) in expected.enumerated() where !values.isEmpty {
            let square = values.reduce(0) { $0 + ($1.isFinite ? $1 * $1 : 0) } / Double(values.count)
            let scale = max(square.squareRoot(), .leastNormalMagnitude)
            for (position, pair) in zip(arrays[index].values, values).enumerated() {
                let isSame = pair.0 == pair.1 || (pair.0.isNaN && pair.1.isNaN)
                let error = isSame ? 0 : abs(pair.0 - pair.1) / scale
                let units = error == 0 ? 0 : kernel.tolerance > 0 ? error / kernel.tolerance : .infinity
                if !(units <= worst) {
                    worst = units.isNaN ? .infinity : units
                    place = "\(arrays[index].name)[\(position)] is \(pair.0), the reference has \(pair.1)"
                }
            }
            compared += values.count
        }
        if kernel.reference == nil {
            return KernelAgreement(
                worst: 0, bound: "no reference is named: nothing was compared", place: "", compared: 1)
        }
        return KernelAgreement(
            worst: worst, bound: "\(kernel.tolerance) of the output's root mean square", place: place,
            compared: compared)
    }
}

/// An array whose last element ends near a page that faults when it is touched.
final class GuardedArray {
    let name: String
    let type: OwnKernel.ElementType
    let count: Int
    let pointer: UnsafeMutableRawPointer
    private let mapping: UnsafeMutableRawPointer
    private let mapped: Int

    init(type: OwnKernel.ElementType, count: Int, name: String) throws(OwnKernelError) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        // Aligned to 64 bytes, so that a loop over vectors may start at its head; what is left over lies before the page.
        let bytes = (count * type.byteCount + 63) / 64 * 64
        let pages = (bytes + page - 1) / page * page
        let protection = PROT_READ | PROT_WRITE
        guard let memory = mmap(nil, pages + page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED,
            mprotect(memory + pages, page, PROT_NONE) == 0
        else { throw OwnKernelError(name, "no memory for \(count) elements") }
        madvise(memory, pages, MADV_HUGEPAGE)
        mapping = memory
        mapped = pages + page
        pointer = memory + (pages - bytes)
        self.name = name
        self.type = type
        self.count = count
    }

    deinit { munmap(mapping, mapped) }

    var byteCount: Int { count * type.byteCount }

    /// Values in [-0.5, 0.5) for floating types, small whole numbers for the others, from a splitmix64 sequence.
    func fill(_ state: inout UInt64) {
        for index in 0..<count {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
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
