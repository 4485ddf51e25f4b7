// Holds pod templates against the level "restricted", with the very checks that Kubernetes' admission makes.
//
// It reads one PodTemplateSpec a line, as JSON, and answers each with one line: why it would be refused, or nothing.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		log.Fatal(err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var template corev1.PodTemplateSpec
		if err := json.Unmarshal(lines.Bytes(), &template); err != nil {
			log.Fatal(err)
		}
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec))
		fmt.Println(result.ForbiddenDetail())
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}
