internal import Glibc
internal import Kernels
internal import System

/// The arrays of a user's kernel: seeded inputs, an output to compare, and a page after each that must stay untouched.
final class OwnKernelProblem: KernelProblem {
    private let kernel: OwnKernel
    private let arrays: [GuardedArray]
    private let expected: [[Double]]
    private let sizes: [Int]
    private let initial: [[Double]]
    /// Digests of what is only read.
    private let inputs: [UInt64?]

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
                throw Problem(
                    .invalid, kernel.path,
                    "argument \(argument.name) has \(count) elements; the count must be above 0, and the "
                        + "array must need less than half of the free memory")
            }
            let array = try GuardedArray(type: argument.type, count: Int(count), name: argument.name)
            array.fill(&state)
            arrays.append(array)
        }
        self.arrays = arrays
        initial = zip(arrays, Self.roles(kernel)).map { $1 == .both ? $0.values : [] }
        inputs = zip(arrays, Self.roles(kernel)).map { $1 == .input ? $0.digest : nil }
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

    /// Arguments that are read and written are reset: otherwise they would drift to infinity otherwise.
    func restore() {
        for (array, values) in zip(arrays, initial) where !values.isEmpty { array.set(values) }
    }

    func poisonOutput() {
        for (array, role) in zip(arrays, Self.roles(kernel)) where role == .output { array.poison() }
        restore()
    }

    func agreement() -> KernelAgreement {
        let bound =
            kernel.reference == nil
            ? "not checked: no reference" : "\(kernel.tolerance) of the output's root mean square"
        if let fault = trespass {
            return KernelAgreement(worst: .infinity, bound: bound, place: fault, compared: arrays.count)
        }
        var worst = 0.0
        var place = "all values agree"
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
                    place = Self.difference(arrays[index].name, position, pair)
                }
            }
            compared += values.count
        }
        if kernel.reference == nil {
            return KernelAgreement(worst: 0, bound: bound, place: "", compared: 0, isChecked: false)
        }
        return KernelAgreement(worst: worst, bound: bound, place: place, compared: compared)
    }

    /// What was written that may not be: next to an array, or into one that is only read.
    private var trespass: String? {
        for (array, digest) in zip(arrays, inputs) {
            if let side = array.trespass { return "the kernel wrote \(side) \(array.name)" }
            if let digest, digest != array.digest { return "the kernel changed its input \(array.name)" }
        }
        return nil
    }

    private static func difference(_ name: String, _ position: Int, _ pair: (Double, Double)) -> String {
        let found = pair.0.isNaN && !pair.1.isNaN ? "NaN, or was never written" : "\(pair.0)"
        return "\(name)[\(position)] is \(found), but the reference has \(pair.1)"
    }
}
