internal import Kernels
internal import Tensors

/// The numbers of a window along rows and columns.
struct WindowAxes {
    let stride: [Int]
    let padding: [Int]
    let dilation: [Int]

    /// - Throws: `TensorError` for numbers that make no sense, in a sentence that names them.
    init(_ window: Window, _ shape: [Int], _ operation: String) throws(TensorError) {
        func both(_ values: [Int], _ role: String, from least: Int) throws(TensorError) -> [Int] {
            guard values.count == 1 || values.count == 2, values.allSatisfy({ $0 >= least && $0 <= 1 << 30 }) else {
                throw TensorError(operation, shape, problem: "does not support \(role) \(values)")
            }
            return values.count == 1 ? [values[0], values[0]] : values
        }
        stride = try both(window.stride, "stride", from: 1)
        padding = try both(window.padding, "padding", from: 0)
        dilation = try both(window.dilation, "dilation", from: 1)
    }

    /// The window of an operation along places, for images of one row.
    static func alongRow(_ window: Window) -> Window {
        Window(
            stride: [1, window.stride.last ?? 1], padding: [0, window.padding.last ?? 0],
            dilation: [1, window.dilation.last ?? 1])
    }

    /// What `make` returns; what it refuses, in the words of the operation.
    static func sized<Shape>(
        _ operation: String, _ shape: [Int], _ make: () throws(KernelError) -> Shape
    ) throws(TensorError) -> Shape {
        do throws(KernelError) {
            return try make()
        } catch .shape(_, let problem) {
            throw TensorError(operation, shape, problem: "is incompatible: \(problem)")
        } catch {
            throw TensorError(operation, error)
        }
    }
}

extension Tensor {
    /// Where the elements lie, as those of the type that they are known to be.
    func of<Element>(_ type: Element.Type) -> UnsafeMutablePointer<Element> {
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: type)
    }
}
