/// One format of tensor files, opened: its header is read and checked, its data are not.
protocol TensorArchive: Sendable {
    var format: TensorFile.Format { get }
    /// In the order of the file.
    var names: [String] { get }
    /// Texts that the file keeps next to its tensors.
    var metadata: [String: String] { get }
    func stored(_ name: String) throws(TensorFileError) -> StoredTensor
    func tensor(_ name: String) throws(TensorFileError) -> AnyTensor
}
