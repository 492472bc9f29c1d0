package solve
import "testing"
func TestZZ(t *testing.T){
 ps := append(standardProblems(), cubeSum(50,5), cubeSum(200,10))
 for _, w := range []float64{.1, 1e-3,1e-10} {
  usual.width=w
  weak,steps,ev:=0,0,0
  for _,p:=range ps {
   wk:=0
   r,err:=minimize(p.fn(),p.x0,Settings{GradientTolerance:1e-8,RelativeDecrease:-1,MaxIterations:3000},func(a accepted){steps++; if !a.wolfe{wk++}})
   if err!=nil{t.Fatal(err)}
   ev+=r.Evaluations; weak+=wk
   t.Logf("%-22s it %4d ev %4d weak %d f %.3e g %.2e %v",p.name,r.Iterations,r.Evaluations,wk,r.F,r.GradientNorm,r.Status)
  }
  t.Logf("width %g: weak %d of %d, evals %d",w,weak,steps,ev)
 }
 usual.width=.1
}
