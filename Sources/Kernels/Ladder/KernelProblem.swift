/// One instance of an operation: seeded inputs, an output, and the scalar twin that knows what belongs in it.
///
/// A problem belongs to one session at a time; it is not shared between threads except by the kernel it is bound to.
public protocol KernelProblem: AnyObject, SendableMetatype {
    /// Bytes of inputs and output together: they say in which level of the memory the data lie.
    var workingSet: Int { get }
    /// Fills the output with NaN (with a pattern no result has, for integers), so that what a kernel forgets is seen.
    func poisonOutput()
    /// Compares the output with the twin, in float64.
    func agreement() -> KernelAgreement
}
