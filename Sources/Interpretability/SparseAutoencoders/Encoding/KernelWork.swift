internal import Kernels
internal import Tensors

/// Runs kernels and reports their failures as tensor errors under the name of the operation.
func multiplying<R>(
    for operation: String, _ body: () throws(KernelError) -> R
) throws(TensorError) -> R {
    do {
        return try body()
    } catch {
        let sentence = error.sentence
        throw TensorError(operation, problem: sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
    }
}
