public import JSON

extension NeuronpediaReport: JSONRepresentable {
    /// The report as a JSON object of counts.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("records", records)
            $0.member("features", features)
            $0.member("labels", labels)
            $0.member("examples", examples)
        }
    }
}
