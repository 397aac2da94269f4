internal import Glibc
public import Kernels
internal import System

extension OwnKernel {
    /// The kernel and its reference as a ladder of two rungs, from a library that `compile` made.
    ///
    /// What is called here is a person's code: it runs in a process of its own only.
    package func operation(library: String) throws -> KernelOperation {
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
            throw Problem(.failed, source, dlerror().map { String(cString: $0) } ?? "cannot load the library")
        }
        guard let symbol = dlsym(handle, "orrery_own_kernel") else {
            throw Problem(.missing, library, "the library has no kernel")
        }
        let call = unsafeBitCast(symbol, to: OwnKernelProblem.Call.self)
        let referenceCall = dlsym(handle, "orrery_own_reference").map {
            unsafeBitCast($0, to: OwnKernelProblem.Call.self)
        }
        func rung(_ name: String, _ idea: String, _ call: @escaping OwnKernelProblem.Call) -> KernelVariant {
            KernelVariant(name, idea: idea, sources: [source], isParallel: isParallel) {
                (problem: OwnKernelProblem, _) in { problem.run(call) }
            }
        }
        var variants = [rung(function, "your kernel", call)]
        if let reference, let referenceCall { variants.insert(rung(reference, "the reference", referenceCall), at: 0) }
        let shape = sizes.reduce(into: KernelShape([:])) { $0[$1.name] = $1.value }
        let kernel = self
        let cost = cost
        return KernelOperation(
            name, title: title,
            dimensions: sizes.map { .init($0.name, "a size of \(function)", in: 1...(1 << 40)) }, presets: [shape],
            square: { _ in shape }, arithmetic: arithmetic, isStreaming: cost.flops == 0,
            costFormula: "\(flops.text) FLOP, \(bytes.text) B", cost: { _ in cost },
            problem: { _, seed throws(KernelError) in
                do { return try OwnKernelProblem(kernel, reference: referenceCall, seed: seed) } catch {
                    throw .shape(operation: kernel.name, problem: "\(error)")
                }
            }, variants: variants)
    }

    /// Whether the kernel may use several threads: its flags ask for OpenMP or threads. Any other kernel runs on one
    /// thread and is compared with the ceiling of one.
    public var isParallel: Bool { flags.contains { $0.hasPrefix("-fopenmp") || $0 == "-pthread" } }

    /// The roof of its widest floating type; float32 where it has none.
    public var arithmetic: KernelArithmetic {
        let types = arguments.filter { $0.role != .size }.map(\.type)
        return types.contains(.f64)
            ? .float64 : types.contains(.f32) ? .float32 : types.contains(.i8) ? .int8 : .float32
    }
}
