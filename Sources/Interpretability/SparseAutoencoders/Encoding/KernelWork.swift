internal import Kernels
internal import Tensors

/// Work of kernels whose refusals are told in the words of tensors, under the name of what was to be done.
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
