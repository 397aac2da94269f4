public import JSON

extension FeatureDictionary: JSONRepresentable {
    /// The dictionary as a JSON object; what is not known of it is left out.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("kind", kind)
            $0.member("features", featureCount)
            $0.member("width", width)
            $0.member("hook", hook)
            $0.member("model", model)
            $0.member("model_path", ifPresent: modelPath)
            $0.member("path", ifPresent: path)
            $0.member("l0", ifPresent: meanActive)
            $0.member("index", ifPresent: index)
        }
    }
}

extension FeatureIndex: JSONRepresentable {
    /// The index as a JSON object: how much it covers and of what.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("tokens", tokens)
            $0.member("sequences", sequences)
            $0.member("counted", counted)
            $0.member("source", source)
        }
    }
}
